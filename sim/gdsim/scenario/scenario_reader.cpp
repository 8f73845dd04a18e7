#include <gdsim/scenario/scenario_reader.hpp>

#include <gdsim/base/keys.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/check/checks.hpp>
#include <gdsim/dispatch/placement/placements.hpp>
#include <gdsim/host/host_costs.hpp>
#include <gdsim/scenario/compile_scenario.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/scenario/ensemble/read_devices.hpp>
#include <gdsim/scenario/expectations/expectations.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/scenario/workload/read_workload.hpp>
#include <gdsim/workload/launched_kernels.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <sys/stat.h>

#include <algorithm>

namespace gdsim {
namespace {

/// Reads `0.5 %` of the run, or a time.
void read_min_phase(const YamlNode& node, MinPhase& min_phase, const ValueReader& values) {
  const auto number = percent_number(node);
  if (!number) {
    min_phase.time =
        values.quantity<Duration>(node, "min_phase (a time, or a share of the run such as 0.5 %)", parse_duration);
    return;
  }
  const Parsed<Decimal> percent = parse_decimal(*number);
  constexpr std::uint64_t billionths_per_percent = 10'000'000;
  if (!percent.value) {
    values.fail(node, "min_phase", describe(node) + " " + percent.problem);
  } else if (!is_whole(*percent.value, billionths_per_percent) || compare(*percent.value, Decimal::whole(100)) > 0) {
    values.fail(node, "min_phase", describe(node) + " is not between 0 and 100 with at most 7 decimals");
  } else {
    const auto billionths = round_product({*percent.value}, {billionths_per_percent, 1});
    min_phase.share_of_run = {static_cast<std::uint64_t>(*billionths), 1'000'000'000};
  }
}

bool is_refusal(const Diagnostic& problem) { return !problem.code.empty(); }

/// The values of expressions. A stand-in replaces an unknown one, which cannot be checked.
enum class Values : std::uint8_t { known, some_unknown };

/// Reads one scenario. Parts that could be read are checked even if others could not, to report all problems at once.
class Reading {
 public:
  Reading(const YamlNode& root, const EvaluatedExpressions& evaluated, Diagnostics& problems, Values expressions,
          Refusals refusals, const OwnDevice* own_device, const BufferSizes& buffer_sizes)
      : refusals_(refusals),
        own_(own_device),
        buffer_sizes_(buffer_sizes),
        root_(root),
        evaluated_(evaluated),
        problems_(problems),
        expressions_(expressions),
        values_(problems),
        map_(root, "scenario", keys::kScenario, values_) {}

  Scenario run(const std::filesystem::path& near, ModelLibrary& models, const OwnPolicies& own_policies) {
    if (!map_.is_usable()) return {};
    map_.read_required("scenario", scenario_.title);
    if (const YamlNode* device = map_.require("device"))
      if (auto spec = read_device(*device, near, models, values_, common_mode())) device_ = std::move(*spec);
    read_dispatch_rules(own_policies);
    if (const YamlNode* kernels = map_.require("kernels")) read_kernels(*kernels);
    if (const YamlNode* queues = map_.find("queues"))
      scenario_.workload.queues = read_queues(*queues, device_ ? std::optional(device_->cores) : std::nullopt, values_);
    if (const YamlNode* launches = map_.require("launches")) read_all_launches(*launches);
    complete_launches();
    if (const YamlNode* min_phase = map_.find("min_phase")) read_min_phase(*min_phase, scenario_.min_phase, values_);
    map_.read("repeat", scenario_.repeat);
    if (const YamlNode* expect = map_.find("expect"))
      scenario_.expectations = read_expectations(*expect, scenario_.workload.launches, values_);
    refuse_times_of_placeholders();
    settle();
    if (device_ && device_->power) scenario_.power_place = power_place();
    if (device_) scenario_.device = std::move(*device_);
    return std::move(scenario_);
  }

 private:
  void place(const Issues& issues) { place_issues(issues, root_, launch_items_, issues_); }

  Diagnostic power_place() const {
    Diagnostics found;
    place_issues({{"device.power.period", {}}}, root_, launch_items_, found);
    Diagnostic place = found.problems().front();
    place.message.clear();
    return place;
  }

  /// Refuses expectations about times if a program is a placeholder.
  void refuse_times_of_placeholders() {
    const auto& kernels = scenario_.workload.kernels;
    const auto first = std::find_if(kernels.begin(), kernels.end(), [](const Kernel& k) { return k.has_placeholder; });
    if (first == kernels.end()) return;
    for (const Expectation& expected : scenario_.expectations)
      if (std::holds_alternative<ExpectedDuration>(expected.item) ||
          std::holds_alternative<ExpectedActive>(expected.item) ||
          std::holds_alternative<ExpectedLaunchTimes>(expected.item) ||
          std::holds_alternative<ExpectedPhaseDurations>(expected.item))
        problems_.add(expected.mark, expected.key + ": the program of " + in_quotes(first->name) +
                                         " is a placeholder, of which no time can be expected; write its steps");
  }

  /// Returns the mode in which all kernels run, or null if none names a mode. A device works in one mode at a time.
  const YamlNode* common_mode() const {
    const YamlNode* kernels = map_.find("kernels");
    if (kernels == nullptr || !kernels->is_mapping() || kernels->entries.empty()) return nullptr;
    const YamlNode* first = kernels->entries.front().value.find("mode");
    for (const YamlEntry& kernel : kernels->entries) {
      const YamlNode* mode = kernel.value.find("mode");
      if ((mode == nullptr) == (first == nullptr) && (mode == nullptr || mode->text == first->text)) continue;
      values_.fail(mode != nullptr ? *mode : kernel.value, "mode",
                   "all kernels of a scenario run in one mode; the first says " +
                       (first != nullptr ? describe(*first) : "nothing"));
      return nullptr;
    }
    return first;
  }

  /// The scenario's rules also override those of alternative devices.
  void read_dispatch_of_alternatives(const OwnPolicies& own_policies) {
    const YamlNode* dispatch = map_.find("dispatch");
    for (DeviceAlternative& alternative : device_->alternatives) {
      DeviceSpec changed = *alternative.device;
      changed.dispatch.own_placements = own_policies.placements;
      if (dispatch != nullptr) read_dispatch(*dispatch, changed.dispatch, values_, own_policies.kernel_choices);
      alternative.device = std::make_shared<const DeviceSpec>(std::move(changed));
    }
  }

  void read_dispatch_rules(const OwnPolicies& own_policies) {
    if (device_) scenario_.dispatch = device_->dispatch;
    scenario_.dispatch.own_placements = own_policies.placements;
    const std::size_t before = problems_.size();
    if (const YamlNode* dispatch = map_.find("dispatch"))
      read_dispatch(*dispatch, scenario_.dispatch, values_, own_policies.kernel_choices);
    has_dispatch_ = problems_.size() == before;
    if (device_ || !scenario_.dispatch.placement.empty())
      place(check_dispatch(scenario_.dispatch,
                           with_own_placements(built_in_placements(), own_policies.placements).placement_names()));
    if (!device_ || !has_dispatch_) return;
    read_dispatch_of_alternatives(own_policies);
    place(check_timing(*device_, scenario_.dispatch));
    place(check_rules_in_force(*device_, scenario_.dispatch));
  }

  void read_kernels(const YamlNode& node) {
    if (values_.mapping(node, "kernels") == nullptr) return;
    if (node.entries.empty() && own_ == nullptr)
      values_.fail(node, "kernels", "is empty; at least one kernel is needed");
    auto& kernels = scenario_.workload.kernels;
    kernels.reserve(node.entries.size());
    const DeviceSpec* device = device_ ? &*device_ : nullptr;
    for (const YamlEntry& entry : node.entries) {
      require_plain_name(entry.key, "kernels", entry.key_mark, problems_);
      const auto group_values = evaluated_.by_kernel.find(entry.key);
      ReadKernel read =
          read_kernel(entry.key, entry.value,
                      group_values != evaluated_.by_kernel.end() ? &group_values->second : nullptr, device, values_);
      const std::size_t index = kernels.size();
      const Kernel& kernel = kernels.emplace_back(std::move(read.kernel));
      place(check_kernel_keys(kernel, index));
      if (!read.has_range) continue;
      place(check_kernel(kernel, index, device, {read.has_needs, read.has_steps}));
    }
    read_children(node, kernels, values_);
    place(check_children(kernels, device_ ? &*device_ : nullptr));
    place(check_tile_lists(kernels));
  }

  void read_all_launches(const YamlNode& node) {
    Workload& workload = scenario_.workload;
    std::optional<OwnDevice> own;
    if (own_ != nullptr) own = *own_;
    if (own && device_ && !device_->sub_group_sizes.empty())
      own->sub_group = *std::min_element(device_->sub_group_sizes.begin(), device_->sub_group_sizes.end());
    ReadLaunches read = read_launches(node, workload, values_, own ? &*own : nullptr);
    scenario_.collectives = std::move(read.collectives);
    launch_items_ = std::move(read.items);
    set_buffer_sizes(workload);
    // This is not the graph that compile() makes: cycles are reported with their places, together with all other
    // obstacles to compilation, and before children are added. A cycle through a launch that could not be read in full
    // may not exist.
    LaunchGraph graph = make_launch_graph(
        workload, device_ ? hardware_queues_of(workload, *device_, scenario_.dispatch) : HardwareQueues{});
    std::erase_if(graph.cycles, [&](const std::vector<CycleLink>& cycle) {
      return std::any_of(cycle.begin(), cycle.end(),
                         [&](const CycleLink& link) { return !read.has_order[index_of(link.launch)]; });
    });
    place(check_order(workload, graph));
    if (!device_) return;
    // If the dispatch could not be read, no priority is reported as wrong.
    DispatchRules rules = scenario_.dispatch;
    if (!has_dispatch_) rules.kernel_choice = KernelChoice::priority;
    if (has_dispatch_ && problems_.empty() && issues_.empty()) place(check_processes(*device_, rules, workload, graph));
    for (std::size_t i = 0; i < workload.queues.size(); ++i) place(check_queue(workload, i, *device_, rules));
    for (std::size_t i = 0; i < workload.launches.size(); ++i)
      if (workload.launches[i].is_kernel() || read.has_subject[i]) place(check_launch(workload, i, *device_, rules));
  }

  void set_buffer_sizes(Workload& workload) const {
    for (const std::string& name : workload.buffers)
      if (const auto size = buffer_sizes_.find(name); !buffer_sizes_.empty())
        workload.buffer_sizes.push_back(size != buffer_sizes_.end() ? size->second : Bytes{});
  }

  /// Runs the checks that need valid kernels and launches.
  void complete_launches() {
    if (!problems_.empty() || !issues_.empty()) return;
    Workload& workload = scenario_.workload;
    if (launches_with_children(workload) > kMaxLaunches) {
      problems_.add(root_.find("launches")->mark,
                    "launches: with their children, there are more than " + std::to_string(kMaxLaunches));
      return;
    }
    add_child_launches(workload);
    place(check_all_launches(workload));
    if (device_) place(check_buffers(workload, *device_));
  }

  /// Keeps refusals by the device for `expect: error` and if there are several cases; all others become problems.
  void settle() {
    if (expressions_ == Values::some_unknown) return;
    const auto& found = issues_.problems();
    const bool may_keep = refusals_ == Refusals::kept || scenario_.expects_refusal();
    if (problems_.empty() && may_keep && std::all_of(found.begin(), found.end(), is_refusal)) {
      scenario_.refusals = found;
      return;
    }
    for (const Diagnostic& problem : found) problems_.add(problem);
  }

  Refusals refusals_;
  const OwnDevice* own_;  ///< null: the scenario has one device
  const BufferSizes& buffer_sizes_;
  const YamlNode& root_;
  const EvaluatedExpressions& evaluated_;
  Diagnostics& problems_;
  Values expressions_;
  Diagnostics issues_;
  ValueReader values_;
  MapReader map_;
  Scenario scenario_;
  std::vector<std::size_t> launch_items_;  ///< by launch, children not included
  std::optional<DeviceSpec> device_;
  bool has_dispatch_ = true;  ///< the dispatch is as the user wrote it
};

/// Returns the model that a scenario's device is, or is based on; empty if the scenario defines its own device.
std::string device_named_in(const YamlNode& root) {
  if (!root.is_mapping()) return {};
  const YamlNode* device = root.find("device");
  if (device != nullptr && device->is_mapping()) device = device->find("base");
  return device != nullptr && device->is_scalar() ? device->text : std::string();
}

/// Returns a launch that copies the first of the buffers to the first of the devices.
std::string copy_line(const YamlNode& devices, const YamlNode& buffers) {
  const std::string device = devices.entries.empty() ? "gpu0" : printable(devices.entries.front().key);
  const std::string buffer = buffers.entries.empty() ? "a" : printable(buffers.entries.front().key);
  const YamlNode* bytes = buffers.entries.empty() ? nullptr : buffers.entries.front().value.find("bytes");
  const std::string size = bytes != nullptr && bytes->is_scalar() ? printable(bytes->text) : "64 MiB";
  return "{device: " + device + ", copy: {bytes: " + size + ", direction: host_to_device}, writes: [" + buffer + "]}";
}

bool expects_error(const YamlNode& root) {
  const YamlNode* expect = root.find("expect");
  return expect != nullptr && std::any_of(expect->items.begin(), expect->items.end(),
                                          [](const YamlNode& item) { return item.find("error") != nullptr; });
}

}  // namespace

bool Scenario::expects_refusal() const {
  return std::any_of(expectations.begin(), expectations.end(),
                     [](const Expectation& e) { return std::holds_alternative<ExpectedRefusal>(e.item); });
}

ScenarioReader::ScenarioReader(std::filesystem::path near, ModelLibrary& models, OwnPolicies own, SourceFiles& sources)
    : near_(std::move(near)), models_(models), own_policies_(std::move(own)), tables_(near_, sources) {
  Issues issues = check_own_placements(own_policies_.placements);
  append(issues, check_own_kernel_choices(own_policies_.kernel_choices));
  if (!issues.empty()) throw_input_error(issues);
}

void ScenarioReader::keep_device_of(const YamlNode& file) { device_of_file_ = device_named_in(file); }

Scenario ScenarioReader::read(YamlNode& root, Diagnostics& problems, Refusals refusals) {
  if (root.is_mapping() && root.find("devices") != nullptr) {
    if (const YamlNode* buffers = root.find("buffers"))
      problems.add(buffers->mark,
                   "buffers: give the copies of one device; with `devices`, write each as a launch: `- " +
                       copy_line(*root.find("devices"), *buffers) + "`");
    // An error that the file expects of all devices need not occur on each device.
    const Refusals of_one = expects_error(root) ? Refusals::kept : refusals;
    const auto read_device_root = [&](YamlNode& device_root, const OwnDevice& device, Diagnostics& found) {
      return read_whole(device_root, found, of_one, &device);
    };
    return read_devices(root, read_device_root, problems);
  }
  if (const YamlNode* links = root.is_mapping() ? root.find("links") : nullptr)
    ValueReader(problems).fail(
        *links, "links",
        "connect several devices; name these, as in `devices: {gpu0: h100-sxm, gpu1: h100-sxm}`, "
        "or leave `links` out");
  Scenario scenario = read_whole(root, problems, refusals);
  if (!device_of_file_.empty() && device_named_in(root) != device_of_file_)
    scenario.workload.written_for = device_of_file_;
  return scenario;
}

Scenario ScenarioReader::read_whole(YamlNode& root, Diagnostics& problems, Refusals refusals, const OwnDevice* device) {
  const std::size_t before = problems.size();
  const EvaluatedExpressions evaluated = evaluate_expressions(root, near_, models_, expressions_, problems);
  const bool all_known = problems.size() == before;
  YamlNode filled;  // `root` itself stays as short as it was written
  const bool has_buffers = device == nullptr && declares_buffers(root);
  if (WorkGroupTables::are_named(root) || has_buffers) filled = root;
  if (WorkGroupTables::are_named(root)) tables_.fill_in(filled, problems);
  Diagnostics of_stand_ins;
  BufferSizes sizes;
  if (has_buffers) sizes = add_buffer_copies(filled, ValueReader(all_known ? problems : of_stand_ins));
  const YamlNode& whole = filled.is_mapping() ? filled : root;
  const auto read = [&](Values values, Diagnostics& sink) {
    return Reading(whole, evaluated, sink, values, refusals, device, sizes).run(near_, models_, own_policies_);
  };
  if (all_known) return read(Values::known, problems);
  Diagnostics found;
  Scenario scenario = read(Values::some_unknown, found);
  for (const Diagnostic& problem : found.problems()) {
    const auto is_of_no_value = [&](const SourceMark& mark) {
      return mark.line == problem.line && mark.column == problem.column && mark.source->name() == problem.file;
    };
    if (std::none_of(evaluated.without_value.begin(), evaluated.without_value.end(), is_of_no_value))
      problems.add(problem);
  }
  return scenario;
}

namespace {

namespace fs = std::filesystem;

/// Returns the path where a file is or would be created. Follows links, also to targets that do not exist yet.
fs::path place_of(const fs::path& file) {
  constexpr int max_links = 40;  // as in the kernel
  fs::path place = file;
  std::error_code error;
  for (int i = 0; i < max_links && fs::is_symlink(place, error) && !fs::exists(place, error); ++i) {
    const fs::path target = fs::read_symlink(place, error);
    if (error) break;
    place = target.is_absolute() ? target : place.parent_path() / target;
  }
  fs::path found = fs::weakly_canonical(fs::absolute(place, error), error);
  return error ? place.lexically_normal() : found;
}

}  // namespace

void FileRegister::add(const fs::path& file, std::string_view role) {
  struct stat found {};
  const bool exists = stat(file.c_str(), &found) == 0;
  if (exists && !S_ISREG(found.st_mode)) return;
  const std::lock_guard lock(mutex_);
  places_.try_emplace(place_of(file), File{file.string(), std::string(role)});
  if (exists) inodes_.try_emplace(Inode(found.st_dev, found.st_ino), File{file.string(), std::string(role)});
}

void FileRegister::add(int descriptor, const std::string& name, std::string_view role) {
  struct stat found {};
  if (fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode)) return;
  const std::lock_guard lock(mutex_);
  inodes_.try_emplace(Inode(found.st_dev, found.st_ino), File{name, std::string(role)});
}

void FileRegister::on_input(const fs::path& file, int descriptor, std::string_view role) {
  if (file != "-") add(file, role);
  add(descriptor, file == "-" ? "<stdin>" : file.string(), role);
}

std::optional<FileRegister::File> FileRegister::find(const fs::path& file) const {
  struct stat found {};
  const bool exists = stat(file.c_str(), &found) == 0;
  if (exists && !S_ISREG(found.st_mode)) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (exists)
    if (const auto known = inodes_.find(Inode(found.st_dev, found.st_ino)); known != inodes_.end())
      return known->second;
  const auto known = places_.find(place_of(file));
  return known == places_.end() ? std::nullopt : std::optional(known->second);
}

}  // namespace gdsim
