#include <gdsim/scenario/workload/read_workload.hpp>

#include <gdsim/base/keys.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/scenario/ensemble/read_devices.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace gdsim {
namespace {

/// Names of kernels, queues or buffers and their positions.
using Index = std::unordered_map<std::string, std::size_t>;

std::vector<std::string_view> names_of(const Index& known) {
  std::vector<std::string_view> names;
  for (const auto& [name, position] : known) names.push_back(name);
  return names;
}

/// Reads launch by launch; keeps `after:` and `wait:` until all names are known.
class LaunchReader {
 public:
  LaunchReader(const YamlNode& list, Workload& workload, const ValueReader& values, const OwnDevice* own_device)
      : workload_(workload), values_(values), launch_device_(own_device, values), names_(values) {
    for (const YamlNode& item : list.items)
      if (const YamlNode* name = item.find("name")) names_.mark_given(name->text);
    for (std::size_t i = 0; i < workload.kernels.size(); ++i) kernels_.emplace(workload.kernels[i].name, i);
    for (std::size_t i = 0; i < workload.queues.size(); ++i) queues_.emplace(workload.queues[i].name, i);
  }

  /// Reads one launch, or `count:` equal ones.
  void read(const YamlNode& node, std::size_t item) {
    const MapReader map(node, "launch", keys::kLaunch, values_);
    if (map.find("collective") != nullptr) return read_parts(map, item);
    if (launch_device_.is_on_each(map)) return read_on_each(map, item);
    Launch launch;
    const std::optional<std::uint32_t> elsewhere = launch_device_.elsewhere(map);
    const Subject subject = read_subject(map, elsewhere, launch);
    if (const YamlNode* reads = map.find("reads")) read_buffers(*reads, "reads", "", launch.reads);
    if (const YamlNode* writes = map.find("writes")) read_buffers(*writes, "writes", "", launch.writes);
    const std::uint64_t count = read_count(map);
    if (count > 1) {
      alike_.emplace(workload_.launches.size(), count);
      if (map.find("name") != nullptr) names_.has_first(subject.stem);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      if (i > 0 && !subject.stem.empty()) launch.name = names_.next(subject.stem);
      add(map, launch, item, subject, i == 0 ? count : 1);
    }
  }

  ReadLaunches link(const YamlNode& list) {
    for (std::size_t i = 0; i < workload_.launches.size(); ++i) {
      Launch& launch = workload_.launches[i];
      const std::size_t item = read_.items[i];
      if (i == 0 || item != read_.items[i - 1] || are_by_device_.contains(item)) {
        const auto alike = alike_.find(i);
        link(list.items[item], alike != alike_.end() ? alike->second : 1, launch);
      } else {
        launch.after = workload_.launches[i - 1].after;
        launch.after_triggers = workload_.launches[i - 1].after_triggers;
        launch.host_waits = workload_.launches[i - 1].host_waits;
      }
    }
    // Times order launches only if the host waits.
    const auto waits = [](const Launch& launch) { return !launch.host_waits.empty(); };
    if (std::any_of(workload_.launches.begin(), workload_.launches.end(), waits))
      for (const std::size_t launch : without_time_) read_.has_order[launch] = false;
    return std::move(read_);
  }

 private:
  std::size_t problems() const { return values_.problems().size(); }

  void link(const YamlNode& node, std::uint64_t alike, Launch& launch) {
    const OwnDevice* own_device = launch_device_.own();
    std::optional<std::uint32_t> device;
    if (own_device != nullptr) device = launch.is_remote() ? number_of(launch.as_remote().device) : own_device->number;
    if (const YamlNode* after = node.find("after")) names_.read_after(*after, alike, device, launch);
    if (const YamlNode* waits = node.find("wait")) names_.read_waits(*waits, alike, launch);
  }

  /// The work of a launch, and the name from which launches are numbered; empty if it could not be read.
  struct Subject {
    std::string stem;
    bool is_read = false;
    bool has_time = false;
  };
  /// Reads everything but buffers, of a launch on this device or on another.
  Subject read_subject(const MapReader& map, std::optional<std::uint32_t> elsewhere, Launch& launch) {
    Subject read;
    const std::size_t at_subject = problems();
    read.stem = elsewhere ? subject_elsewhere(map, *elsewhere, launch) : read_work(map, launch);
    read.is_read = problems() == at_subject;
    if (map.find("name") != nullptr) {
      map.read("name", launch.name);
      require_plain_name(launch.name, "name", map.find("name")->mark, values_.problems());
      read.stem = launch.name;
    } else if (!read.stem.empty()) {
      launch.name = names_.next(read.stem);
    }
    const std::size_t at_time = problems();
    map.read_keys(launch);
    read.has_time = problems() == at_time;
    if (const YamlNode* queue = map.find("queue")) read_queue_name(*queue, launch);
    if (!elsewhere) read_demands(map, launch);
    return read;
  }

  /// Reads a launch on each device. Launches of one device wait for each other. Each device has its own buffers.
  void read_on_each(const MapReader& map, std::size_t item) {
    const OwnDevice& own_device = *launch_device_.own();
    const auto devices = static_cast<std::uint32_t>(own_device.names.size());
    Launch prototype;
    const Subject subject = read_subject(map, std::nullopt, prototype);
    const std::uint64_t count = read_count(map, devices);
    const std::size_t first = workload_.launches.size();
    are_by_device_.insert(item);
    if (const auto* known = subject.stem.empty() ? nullptr : names_.add(prototype.name, {first, count, devices}))
      fail_same_name(map, prototype.name, *known);
    if (count > 1 && map.find("name") != nullptr) names_.has_first(subject.stem);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string stem = i == 0 || subject.stem.empty() ? prototype.name : names_.next(subject.stem);
      if (i > 0 && !subject.stem.empty()) names_.add(stem, {static_cast<std::size_t>(first + i * devices), 1, devices});
      for (std::uint32_t device = 0; device < devices; ++device) {
        Launch launch = prototype;
        const std::string suffix = "." + own_device.names[device];
        launch.name = stem + suffix;
        if (device != own_device.number) launch.work = RemoteLaunch{DeviceId{device}};
        if (const YamlNode* reads = map.find("reads")) read_buffers(*reads, "reads", suffix, launch.reads);
        if (const YamlNode* writes = map.find("writes")) read_buffers(*writes, "writes", suffix, launch.writes);
        add(map, launch, item, subject, 1);
      }
    }
  }

  /// Reads a collective: a launch on each of its devices, all under its name in `after` and `wait`.
  void read_parts(const MapReader& map, std::size_t item) {
    auto read = read_collective(map, launch_device_, values_);
    if (!read) return;
    Launch launch;
    std::string stem = read->kind;
    map.read("name", stem);
    if (map.find("name") == nullptr) stem = names_.next(stem);
    require_plain_name(stem, "name", map.node().mark, values_.problems());
    map.read_keys(launch);
    if (const YamlNode* queue = map.find("queue")) read_queue_name(*queue, launch);
    const std::size_t first = workload_.launches.size();
    are_by_device_.insert(item);
    const OwnDevice& own_device = *launch_device_.own();
    for (const DeviceId device : read->collective.devices) {
      launch.name = stem + "." + own_device.names[index_of(device)];
      launch.work = RemoteLaunch{device};
      if (number_of(device) == own_device.number) {
        launch.work = part_of(*read);
        read_demands(map, launch);
        launch.as_kernel().is_cooperative = true;
      }
      read->collective.launches.push_back(static_cast<LaunchId>(workload_.launches.size()));
      add(map, launch, item, {stem, true, true}, 1);
    }
    if (const auto* known = names_.add(stem, {first, read->collective.devices.size()}))
      fail_same_name(map, stem, *known);
    read_.collectives.push_back(std::move(read->collective));
  }

  /// Returns the collective's launch on this device; equal collectives share a kernel.
  KernelLaunch part_of(const ReadCollective& read) {
    const auto [known, is_new] = kernels_.emplace(read.kernel.name, workload_.kernels.size());
    if (is_new) workload_.kernels.push_back(read.kernel);
    KernelLaunch part(static_cast<KernelId>(known->second));
    part.is_part_of_collective = true;
    return part;
  }

  /// Reads the count, which applies to each of `devices` devices.
  std::uint64_t read_count(const MapReader& map, std::uint32_t devices = 1) const {
    const YamlNode* node = map.find("count");
    if (node == nullptr) return 1;
    const auto count = map.read_value<std::uint64_t>(*node, "count");
    if (!count) return 1;
    const std::uint64_t left = kMaxLaunches - std::min<std::uint64_t>(workload_.launches.size(), kMaxLaunches);
    if (*count <= left / devices) return *count;
    values_.fail(*node, "count",
                 std::to_string(*count * devices) + " launches behind " + std::to_string(workload_.launches.size()) +
                     " others are more than " + std::to_string(kMaxLaunches));
    return 1;
  }

  /// Reads the kernel or the copy; returns the name for the launch, empty if it could not be read.
  std::string read_work(const MapReader& map, Launch& launch) {
    const YamlNode* copy = map.find("copy");
    if (copy == nullptr) {
      const YamlNode* kernel = map.find("kernel");
      if (kernel == nullptr && map.is_usable())
        values_.problems().add(map.node().mark, "launch: neither the key 'kernel' nor the key 'copy' is there");
      return kernel != nullptr && read_kernel_name(*kernel, launch) ? kernel->text : "";
    }
    if (const YamlNode* kernel = map.find("kernel"))
      values_.fail(*kernel, "kernel", "a launch runs a kernel or copies, not both");
    launch.work = read_copy(*copy, launch_device_, values_);
    return "copy";
  }

  /// Makes a launch on another device, which reads its work.
  static std::string subject_elsewhere(const MapReader& map, std::uint32_t device, Launch& launch) {
    launch.work = RemoteLaunch{DeviceId{device}};
    const YamlNode* kernel = map.find("kernel");
    if (map.find("copy") != nullptr) return "copy";
    return kernel != nullptr && kernel->is_scalar() ? kernel->text : "";
  }

  /// Reads cores and priority. Copies have neither.
  void read_demands(const MapReader& map, Launch& launch) {
    const YamlNode* cores = map.find("cores");
    const YamlNode* priority = map.find("priority");
    if (!launch.is_kernel()) {
      if (cores != nullptr) values_.fail(*cores, "cores", "a copy runs on a copy engine, not on cores");
      if (const YamlNode* cooperative = map.find("cooperative"))
        values_.fail(*cooperative, "cooperative", "a copy has no work-groups");
      if (priority != nullptr) values_.fail(*priority, "priority", "copies have none: each engine does them in order");
      return;
    }
    KernelLaunch& work = launch.as_kernel();
    map.read_keys(work);
    if (cores != nullptr) work.cores = read_cores(*cores, values_);
  }

  void read_queue_name(const YamlNode& node, Launch& launch) {
    if (!values_.text(node, "queue")) return;
    if (const auto queue = queues_.find(node.text); queue != queues_.end()) {
      launch.queue = static_cast<QueueId>(queue->second);
    } else if (queues_.empty()) {
      values_.fail(node, "queue", "there is no queue " + describe(node) + "; name it under `queues:`");
    } else {
      fail_unknown(node, "queue", "queue", names_of(queues_), values_);
    }
  }

  void read_buffers(const YamlNode& node, std::string_view key, const std::string& suffix,
                    LazyVector<BufferId>& buffers) {
    if (values_.list(node, key) == nullptr) return;
    for (const YamlNode& item : node.items) {
      if (!values_.text(item, key)) continue;
      const auto [buffer, is_new] = buffers_.emplace(item.text + suffix, workload_.buffers.size());
      if (is_new) {
        require_plain_name(item.text, key, item.mark, values_.problems());
        workload_.buffers.push_back(buffer->first);
      }
      buffers.push_back(static_cast<BufferId>(buffer->second));
    }
  }

  bool read_kernel_name(const YamlNode& node, Launch& launch) {
    if (!values_.text(node, "kernel")) return false;
    const auto kernel = kernels_.find(node.text);
    if (kernel == kernels_.end()) {
      if (kernels_.empty()) return false;  // the absence of kernels is already reported
      fail_unknown(node, "kernel", "kernel", names_of(kernels_), values_);
      return false;
    }
    launch.work = static_cast<KernelId>(kernel->second);
    return true;
  }

  void fail_same_name(const MapReader& map, const std::string& given, const LaunchNames::Named& known) {
    if (known.first < read_.has_order.size()) read_.has_order[known.first] = false;
    const YamlNode* name = map.find("name");
    values_.fail(name != nullptr ? *name : map.node(), "name",
                 "two launches are called " + in_quotes(given) + "; give one another `name:`");
  }

  /// Adds a launch. `named` launches, from this one on, have its name in `after` and `wait`.
  void add(const MapReader& map, Launch launch, std::size_t item, const Subject& subject, std::uint64_t named) {
    if (!subject.has_time) without_time_.push_back(workload_.launches.size());
    read_.has_subject.push_back(subject.is_read);
    read_.has_order.push_back(true);
    read_.items.push_back(item);
    const auto* known = names_.add(launch.name, {workload_.launches.size(), named});
    if (known != nullptr && !launch.name.empty()) {
      read_.has_order.back() = false;
      fail_same_name(map, launch.name, *known);
    }
    workload_.launches.push_back(std::move(launch));
  }

  Workload& workload_;
  const ValueReader& values_;
  LaunchDevice launch_device_;
  LaunchNames names_;
  Index kernels_;
  Index queues_;
  Index buffers_;
  std::unordered_map<std::size_t, std::uint64_t> alike_;  ///< number of equal launches, by the first of them
  std::unordered_set<std::size_t> are_by_device_;         ///< items whose launches each wait for their own device's
  std::vector<std::size_t> without_time_;                 ///< launches whose `at:` could not be read
  ReadLaunches read_;
};

}  // namespace

ReadLaunches read_launches(const YamlNode& node, Workload& workload, const ValueReader& values,
                           const OwnDevice* own_device) {
  if (values.list(node, "launches") == nullptr) return {};
  if (node.items.empty()) values.fail(node, "launches", "is empty; at least one launch is needed");
  workload.launches.reserve(node.items.size());
  LaunchReader reader(node, workload, values, own_device);
  for (std::size_t i = 0; i < node.items.size(); ++i) reader.read(node.items[i], i);
  return reader.link(node);
}

}  // namespace gdsim
