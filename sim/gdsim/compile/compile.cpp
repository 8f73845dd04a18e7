#include <gdsim/compile/compile.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/check/checks.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/dispatch/dispatchers.hpp>
#include <gdsim/host/host_costs.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace gdsim {
namespace {

/// Checks part by part. A part with an unusable value is not checked any further, and checks that depend on all parts
/// run only if all parts are usable.
class Checker {
 public:
  Checker(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
          const PlacementCatalog& policies)
      : device_(device), rules_(rules), workload_(workload) {
    is_device_sound_ = take(check_device_values(device)) && take(check_device(device));
    are_rules_sound_ = take(check_rules_values(rules, "dispatch"));
    take(check_own_placements(rules.own_placements));
    take(check_dispatch(rules, policies.placement_names()));
    if (is_device_sound_ && are_rules_sound_)
      are_rules_sound_ = take(check_timing(device, rules)) && take(check_rules_in_force(device, rules));
    for (std::size_t i = 0; i < workload.kernels.size(); ++i) check_kernel(i);
    for (std::size_t i = 0; i < workload.queues.size(); ++i) check_queue(i);
    for (std::size_t i = 0; i < workload.launches.size(); ++i) check_launch(i);
    if (are_parts_sound_) check_whole();
  }

  Issues take_issues() { return std::move(found_); }

 private:
  /// Returns true if there are no issues.
  bool take(Issues issues) {
    const bool is_empty = issues.empty();
    append(found_, std::move(issues));
    return is_empty;
  }

  void check_kernel(std::size_t index) {
    const Kernel& kernel = workload_.kernels[index];
    if (!take(check_kernel_values(kernel, index, workload_.kernels.size()))) {
      are_parts_sound_ = false;
      return;
    }
    if (!kernel.range.is_countable()) are_parts_sound_ = false;
    take(gdsim::check_kernel(kernel, index, is_device_sound_ ? &device_ : nullptr));
  }

  void check_queue(std::size_t index) {
    if (!take(check_queue_values(workload_.queues[index], index))) {
      are_parts_sound_ = false;
    } else if (is_device_sound_ && are_rules_sound_) {
      take(gdsim::check_queue(workload_, index, device_, rules_));
    }
  }

  void check_launch(std::size_t index) {
    if (!take(check_launch_values(workload_, index))) {
      are_parts_sound_ = false;
    } else if (is_device_sound_ && are_rules_sound_) {
      take(gdsim::check_launch(workload_, index, device_, rules_));
    }
  }

  void check_whole() {
    if (!take(check_children(workload_.kernels, &device_))) return;
    take(check_tile_lists(workload_.kernels));
    if (launches_with_children(workload_) > kMaxLaunches && !has_children_added(workload_)) {
      found_.push_back({"launches", "with their children, there are more than " + std::to_string(kMaxLaunches)});
    } else if (workload_.launches.size() > kMaxLaunches) {
      found_.push_back({"launches", "there are more than " + std::to_string(kMaxLaunches)});
    } else if (has_children_added(workload_)) {
      if (const auto wrong = first_wrong_child(workload_))
        found_.push_back({item_path("launches", index_of(*wrong)) + ".parent",
                          "children are not as add_child_launches() adds them; leave them out, compile() adds them"});
    }
  }

  const DeviceSpec& device_;
  const DispatchRules& rules_;
  const Workload& workload_;
  Issues found_;
  bool is_device_sound_ = false;
  bool are_rules_sound_ = false;
  bool are_parts_sound_ = true;  ///< every kernel, queue and launch
};

/// Returns true if the placement can be constructed for every dispatcher. A catalog may have entries of the caller.
bool can_place(const PlacementCatalog& policies, const DispatchRules& rules, const DeviceSpec& device) {
  const std::vector<CoreBlock> blocks = blocks_by_dispatcher(device, rules);
  return std::all_of(blocks.begin(), blocks.end(), [&](const CoreBlock& cores) {
    return policies.make_placement(rules.placement, device_of_block(device, cores)) != nullptr;
  });
}

std::shared_ptr<const Workload> with_child_launches(Workload workload) {
  add_child_launches(workload);
  return std::make_shared<const Workload>(std::move(workload));
}

Compilation compile_shared(DeviceSpec device, DispatchRules rules, std::shared_ptr<const Workload> workload,
                           const PlacementCatalog& known) {
  const PlacementCatalog policies = with_own_placements(known, rules.own_placements);
  Issues found = Checker(device, rules, *workload, policies).take_issues();
  if (!found.empty()) return CompiledParts::refuse(std::move(found));
  if (!can_place(policies, rules, device))
    return CompiledParts::refuse(
        {{"dispatch.placement", in_quotes(rules.placement) + " cannot be made for every dispatcher"}});
  if (!has_children_added(*workload) && launches_with_children(*workload) > workload->launches.size())
    workload = with_child_launches(*workload);
  LaunchGraph graph = make_launch_graph(*workload, hardware_queues_of(*workload, device, rules));
  append(found, check_order(*workload, graph));
  append(found, check_all_launches(*workload));
  append(found, check_buffers(*workload, device));
  if (found.empty()) append(found, check_processes(device, rules, *workload, graph));
  if (!found.empty()) return CompiledParts::refuse(std::move(found));
  ProgramPlans plans(workload->kernels, device);
  FootprintTable footprints(device, workload->kernels);
  return CompiledParts::share({std::move(device), std::move(rules), std::move(workload), std::move(plans),
                               std::move(graph), std::move(footprints), policies});
}

}  // namespace

Compilation compile(DeviceSpec device, Workload workload) {
  DispatchRules rules = device.dispatch;
  return compile(std::move(device), std::move(rules), std::move(workload));
}

Compilation compile(DeviceSpec device, DispatchRules rules, Workload workload) {
  return compile(std::move(device), std::move(rules), std::move(workload), built_in_placements());
}

Compilation compile(DeviceSpec device, DispatchRules rules, Workload workload, const PlacementCatalog& policies) {
  return compile_shared(std::move(device), std::move(rules), std::make_shared<const Workload>(std::move(workload)),
                        policies);
}

Compilation compile_in_place(DeviceSpec device, DispatchRules rules, const Workload& workload) {
  const std::shared_ptr<const Workload> not_owned(std::shared_ptr<const void>(), &workload);
  return compile_shared(std::move(device), std::move(rules), not_owned, built_in_placements());
}

Compiled::Compiled(std::shared_ptr<const CompiledParts> parts) : parts_(std::move(parts)) {}

const DeviceSpec& Compiled::device() const { return parts_->device; }
const DispatchRules& Compiled::rules() const { return parts_->rules; }
const Workload& Compiled::workload() const { return *parts_->workload; }

Compilation::Compilation(Compiled compiled) : compiled_(std::move(compiled)) {}
Compilation::Compilation(Issues issues) : issues_(std::move(issues)) {
  GDSIM_CHECK(!issues_.empty(), "a workload is refused without a reason");
}

Issues Compilation::issues() && { return std::move(issues_); }

Compiled Compilation::value() const {
  if (!compiled_) throw_input_error(issues_);
  return *compiled_;
}

}  // namespace gdsim
