#include <gdsim/scenario/workload/read_launches.hpp>

#include <gdsim/base/printable.hpp>
#include <gdsim/scenario/device/read_cores.hpp>
#include <gdsim/scenario/devices/launch_device.hpp>
#include <gdsim/scenario/devices/read_collective.hpp>
#include <gdsim/scenario/devices/read_copy.hpp>
#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/scenario/keys/plain_name.hpp>
#include <gdsim/workload/child_launches.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace gdsim {
namespace {

/// Names of kernels or launches and their positions.
using Index = std::unordered_map<std::string, std::size_t>;

/// Adds that there is no such name, and which there are if they are few.
void fail_unknown(const YamlNode& node, std::string_view key, const char* what, const Index& known,
                  const ValueReader& values) {
  constexpr std::size_t few = 100;
  std::vector<std::string_view> names;
  if (known.size() <= few)
    for (const auto& [name, position] : known)
      if (!name.empty()) names.push_back(name);
  std::sort(names.begin(), names.end());
  values.fail(node, key,
              "there is no " + std::string(what) + " " + describe(node) +
                  (names.empty() ? "" : "; " + known_names(node.text, names)));
}

/// Reads launch by launch; `after:` and `wait:` stay until all names are known.
class LaunchReader {
 public:
  LaunchReader(const YamlNode& list, Workload& workload, const ValueReader& values, const OwnDevice* own)
      : workload_(workload), values_(values), launch_device_(own, values) {
    for (const YamlNode& item : list.items)
      if (const YamlNode* name = item.find("name")) given_.insert(name->text);
    for (std::size_t i = 0; i < workload.kernels.size(); ++i) kernels_.emplace(workload.kernels[i].name, i);
    for (std::size_t i = 0; i < workload.queues.size(); ++i) queues_.emplace(workload.queues[i].name, i);
  }

  /// One launch, or as many equal ones as its `count:` says.
  void read(const YamlNode& node, std::size_t item) {
    const MapReader map(node, "launch", keys::kLaunch, values_);
    if (map.find("collective") != nullptr) return read_parts(map, item);
    Launch launch;
    const std::optional<std::uint32_t> elsewhere = launch_device_.elsewhere(map);
    const std::size_t at_subject = problems();
    const std::string subject = elsewhere ? subject_elsewhere(map, *elsewhere, launch) : read_subject(map, launch);
    const bool has_subject = problems() == at_subject;
    if (map.find("name") != nullptr) {
      map.read("name", launch.name, &ValueReader::text);
      require_plain_name(launch.name, "name", map.find("name")->mark, values_.problems());
    } else if (!subject.empty()) {
      launch.name = default_name(subject);
    }
    const std::size_t at_time = problems();
    map.read("at", launch.at, &ValueReader::quantity<SimTime>, parse_sim_time);
    const bool has_time = problems() == at_time;
    if (const YamlNode* reads = map.find("reads")) read_buffers(*reads, "reads", launch.reads);
    if (const YamlNode* writes = map.find("writes")) read_buffers(*writes, "writes", launch.writes);
    if (const YamlNode* queue = map.find("queue")) read_queue_name(*queue, launch);
    if (!elsewhere) read_demands(map, launch);
    const std::uint64_t count = read_count(map);
    const std::string stem = map.find("name") != nullptr ? launch.name : subject;
    if (count > 1) {
      copies_.emplace(workload_.launches.size(), count);
      if (map.find("name") != nullptr) unnamed_.try_emplace(stem, 1);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      if (i > 0 && !stem.empty()) launch.name = default_name(stem);
      if (!has_time) without_time_.push_back(workload_.launches.size());
      read_.has_subject.push_back(has_subject);
      read_.has_order.push_back(true);
      read_.items.push_back(item);
      add(map, launch);
    }
  }

  ReadLaunches link(const YamlNode& list) {
    for (std::size_t i = 0; i < workload_.launches.size(); ++i) {
      Launch& launch = workload_.launches[i];
      if (i == 0 || read_.items[i] != read_.items[i - 1]) {
        const auto copies = copies_.find(i);
        waiting_ = copies != copies_.end() ? copies->second : 1;
        link(list.items[read_.items[i]], launch);
      } else {
        launch.after = workload_.launches[i - 1].after;
        launch.after_triggers = workload_.launches[i - 1].after_triggers;
        launch.host_waits = workload_.launches[i - 1].host_waits;
      }
    }
    // Times order launches only where the host waits.
    const auto waits = [](const Launch& launch) { return !launch.host_waits.empty(); };
    if (std::any_of(workload_.launches.begin(), workload_.launches.end(), waits))
      for (const std::size_t launch : without_time_) read_.has_order[launch] = false;
    return std::move(read_);
  }

 private:
  std::size_t problems() const { return values_.problems().size(); }

  void link(const YamlNode& node, Launch& launch) {
    if (const YamlNode* after = node.find("after"); after != nullptr && values_.list(*after, "after") != nullptr)
      for (const YamlNode& item : after->items) read_after(item, launch);
    if (const YamlNode* waits = node.find("wait"); waits != nullptr && values_.list(*waits, "wait") != nullptr)
      for (const YamlNode& item : waits->items)
        if (!read_name(item, "wait", launch.host_waits)) break;
  }

  /// A collective: a launch on each of its devices, which all have its name in `after` and `wait`.
  void read_parts(const MapReader& map, std::size_t item) {
    auto read = read_collective(map, launch_device_, values_);
    if (!read) return;
    Launch launch;
    std::string stem = read->kind;
    map.read("name", stem, &ValueReader::text);
    if (map.find("name") == nullptr) stem = default_name(stem);
    require_plain_name(stem, "name", map.node().mark, values_.problems());
    map.read("at", launch.at, &ValueReader::quantity<SimTime>, parse_sim_time);
    if (const YamlNode* queue = map.find("queue")) read_queue_name(*queue, launch);
    const std::size_t first = workload_.launches.size();
    copies_.emplace(first, read->collective.devices.size());
    const OwnDevice& own = *launch_device_.own();
    for (const std::uint32_t device : read->collective.devices) {
      launch.name = stem + "." + own.names[device];
      launch.work = Copy{Bytes{1}, CopyDirection::elsewhere, device};
      if (device == own.number) {
        launch.work = part_of(*read);
        read_demands(map, launch);
        launch.as_kernel().is_cooperative = true;
      }
      read->collective.launches.push_back(static_cast<LaunchId>(workload_.launches.size()));
      read_.has_subject.push_back(true);
      read_.has_order.push_back(true);
      read_.items.push_back(item);
      add(map, launch);
    }
    if (!launches_.emplace(stem, first).second) fail_same_name(map, stem);
    read_.collectives.push_back(std::move(read->collective));
  }

  /// The launch of this device; equal collectives have one kernel.
  KernelLaunch part_of(const ReadCollective& read) {
    const auto [known, is_new] = kernels_.emplace(read.kernel.name, workload_.kernels.size());
    if (is_new) workload_.kernels.push_back(read.kernel);
    KernelLaunch part(static_cast<KernelId>(known->second));
    part.exchanges = true;
    return part;
  }

  std::uint64_t read_count(const MapReader& map) const {
    const YamlNode* node = map.find("count");
    if (node == nullptr) return 1;
    const auto count = values_.whole(*node, "count", 1, kMaxLaunches);
    if (!count) return 1;
    if (*count <= kMaxLaunches - std::min<std::uint64_t>(workload_.launches.size(), kMaxLaunches)) return *count;
    values_.fail(*node, "count",
                 std::to_string(*count) + " launches behind " + std::to_string(workload_.launches.size()) +
                     " others are more than " + std::to_string(kMaxLaunches));
    return 1;
  }

  /// Several launches that each wait for several: all together they may be too many to keep. `waited_for` is above 1,
  /// or each of several launches waits for one.
  bool may_link(const YamlNode& item, std::string_view key, std::uint64_t waited_for) {
    if (waited_for == 1 && waiting_ == 1) return true;
    if (waited_for <= (kMaxLinks - links_) / waiting_) {
      links_ += waited_for * waiting_;
      return true;
    }
    values_.fail(item, key,
                 std::to_string(waiting_) + " launches that wait for " + std::to_string(waited_for) +
                     ": with those before, there are more than " + std::to_string(kMaxLinks) +
                     " waits; put them into an in-order queue, as in `queue: q`");
    return false;
  }

  /// The kernel or the copy; returns what the launch is called after, nothing if it could not be read.
  std::string read_subject(const MapReader& map, Launch& launch) {
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

  /// The launch is of another device, which reads what it runs.
  static std::string subject_elsewhere(const MapReader& map, std::uint32_t device, Launch& launch) {
    launch.work = Copy{Bytes{1}, CopyDirection::elsewhere, device};
    const YamlNode* kernel = map.find("kernel");
    if (map.find("copy") != nullptr) return "copy";
    return kernel != nullptr && kernel->is_scalar() ? kernel->text : "";
  }

  /// Which cores, how urgent. Neither is for copies.
  void read_demands(const MapReader& map, Launch& launch) {
    const YamlNode* cores = map.find("cores");
    const YamlNode* priority = map.find("priority");
    if (launch.is_copy()) {
      if (cores != nullptr) values_.fail(*cores, "cores", "a copy runs on a copy engine, not on cores");
      if (const YamlNode* cooperative = map.find("cooperative"))
        values_.fail(*cooperative, "cooperative", "a copy has no work-groups");
      if (priority != nullptr) values_.fail(*priority, "priority", "copies have none: each engine does them in order");
      return;
    }
    KernelLaunch& work = launch.as_kernel();
    map.read("cooperative", work.is_cooperative, &ValueReader::truth);
    if (priority != nullptr) map.read("priority", work.priority.emplace(), &ValueReader::whole32, 0U);
    if (cores != nullptr) work.cores = read_cores(*cores, values_);
  }

  void read_queue_name(const YamlNode& node, Launch& launch) {
    if (!values_.text(node, "queue")) return;
    if (const auto queue = queues_.find(node.text); queue != queues_.end()) {
      launch.queue = static_cast<QueueId>(queue->second);
    } else if (queues_.empty()) {
      values_.fail(node, "queue", "there is no queue " + describe(node) + "; name it under `queues:`");
    } else {
      fail_unknown(node, "queue", "queue", queues_, values_);
    }
  }

  void read_buffers(const YamlNode& node, std::string_view key, LazyVector<BufferId>& buffers) {
    if (values_.list(node, key) == nullptr) return;
    for (const YamlNode& item : node.items) {
      if (!values_.text(item, key)) continue;
      const auto [buffer, is_new] = buffers_.emplace(item.text, workload_.buffers.size());
      if (is_new) {
        require_plain_name(item.text, key, item.mark, values_.problems());
        workload_.buffers.push_back(item.text);
      }
      buffers.push_back(static_cast<BufferId>(buffer->second));
    }
  }

  bool read_kernel_name(const YamlNode& node, Launch& launch) {
    if (!values_.text(node, "kernel")) return false;
    const auto kernel = kernels_.find(node.text);
    if (kernel == kernels_.end()) {
      if (kernels_.empty()) return false;  // that there are no kernels is said already
      fail_unknown(node, "kernel", "kernel", kernels_, values_);
      return false;
    }
    launch.work = static_cast<KernelId>(kernel->second);
    return true;
  }

  /// The kernel's name, or with `#2`, `#3`, the first that no launch has, whether it was given or not.
  std::string default_name(const std::string& kernel) {
    std::string name;
    do {
      const std::size_t count = ++unnamed_[kernel];
      name = count == 1 ? kernel : kernel + "#" + std::to_string(count);
    } while (given_.contains(name));
    return name;
  }

  void fail_same_name(const MapReader& map, const std::string& given) {
    const YamlNode* name = map.find("name");
    values_.fail(name != nullptr ? *name : map.node(), "name",
                 "two launches are called " + in_quotes(given) + "; give one another `name:`");
  }

  void add(const MapReader& map, Launch launch) {
    const auto [known, is_new] = launches_.emplace(launch.name, workload_.launches.size());
    if (!is_new && !launch.name.empty()) {
      read_.has_order[known->second] = read_.has_order.back() = false;
      fail_same_name(map, launch.name);
    }
    workload_.launches.push_back(std::move(launch));
  }

  /// `a`, or `{launch: a, when: triggered}`.
  void read_after(const YamlNode& item, Launch& launch) {
    constexpr std::array<std::pair<std::string_view, Until>, 2> whens{
        {{"ended", Until::ended}, {"triggered", Until::triggered}}};
    if (!item.is_mapping()) {
      read_name(item, "after", launch.after);
      return;
    }
    const MapReader map(item, "after", keys::kAfter, values_);
    Until when = Until::ended;
    map.read("when", when, &ValueReader::choice<Until>, std::span(whens));
    if (const YamlNode* name = map.require("launch"))
      read_name(*name, "launch", when == Until::ended ? launch.after : launch.after_triggers);
  }

  /// False if there are too many in all, which is said once.
  bool read_name(const YamlNode& item, std::string_view key, LazyVector<LaunchId>& named) {
    if (!values_.text(item, key)) return true;
    const auto launch = launches_.find(item.text);
    if (launch == launches_.end()) {
      fail_unknown(item, key, "launch", launches_, values_);
      return true;
    }
    const auto copies = copies_.find(launch->second);
    const std::uint64_t count = copies != copies_.end() ? copies->second : 1;
    if (!may_link(item, key, count)) return false;
    for (std::uint64_t i = 0; i < count; ++i) named.push_back(static_cast<LaunchId>(launch->second + i));
    return true;
  }

  static constexpr std::uint64_t kMaxLinks = 10'000'000;
  std::uint64_t waiting_ = 1;  ///< launches that the item stands for that is being linked
  std::uint64_t links_ = 0;    ///< of items where one stands for several

  Workload& workload_;
  const ValueReader& values_;
  LaunchDevice launch_device_;
  Index kernels_;
  Index queues_;
  Index buffers_;
  Index launches_;
  std::unordered_set<std::string> given_;  ///< names that the file gives to launches
  std::unordered_map<std::string, std::size_t> unnamed_;
  std::unordered_map<std::size_t, std::uint64_t> copies_;  ///< by the first of several launches: how many
  std::vector<std::size_t> without_time_;                  ///< launches whose `at:` could not be read
  ReadLaunches read_;
};

}  // namespace

ReadLaunches read_launches(const YamlNode& node, Workload& workload, const ValueReader& values, const OwnDevice* own) {
  if (values.list(node, "launches") == nullptr) return {};
  if (node.items.empty()) values.fail(node, "launches", "is empty; at least one launch is needed");
  workload.launches.reserve(node.items.size());
  LaunchReader reader(node, workload, values, own);
  for (std::size_t i = 0; i < node.items.size(); ++i) reader.read(node.items[i], i);
  return reader.link(node);
}

}  // namespace gdsim
