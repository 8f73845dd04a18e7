#include <gdsim/dispatch/dispatch_state.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
#include <gdsim/dispatch/dispatch_times.hpp>
#include <gdsim/dispatch/dispatchers.hpp>

#include <algorithm>
#include <optional>

namespace gdsim {
namespace {

// Each function returns nullopt for an unknown value.

std::optional<bool> names_one(KernelChoice choice) {
  switch (choice) {
    case KernelChoice::head_only:
    case KernelChoice::priority:
    case KernelChoice::time_sliced: return true;
    case KernelChoice::skip_blocked:
    case KernelChoice::round_robin: return false;
    case KernelChoice::own: return std::nullopt;  // a choice of the caller's may do anything
  }
  return std::nullopt;
}

std::optional<bool> is_exclusive(CoreSharing sharing) {
  switch (sharing) {
    case CoreSharing::shared: return false;
    case CoreSharing::exclusive: return true;
  }
  return std::nullopt;
}

/// Returns true for known values. All shortcuts are correct for each of them.
bool is_known(Admission admission) {
  return admission == Admission::whole || admission == Admission::partial || admission == Admission::spread;
}
bool is_known(Handover handover) {
  return handover == Handover::never || handover == Handover::barrier_or_slm || handover == Handover::always;
}
bool is_known(SlmReconfiguration reconfiguration) {
  return reconfiguration == SlmReconfiguration::free || reconfiguration == SlmReconfiguration::drains_core;
}

}  // namespace

DispatchTraits::DispatchTraits(const DispatchRules& rules, const Setting& setting) {
  // A new rule does not compile here until it is added below. Some rules are not tested here: every turn obeys ports,
  // tie orders, recoveries and partitions. With `preemption`, each process dispatches in its own time, as if it were
  // alone.
  [[maybe_unused]] const auto& [placement, admission, ports, handover, kernel_choice, concurrent_kernels, core_sharing,
                                slm_reconfiguration, interval, recovery, batch, tie_order, partition, preemption,
                                own_placements, own_kernel_choice] = rules;
  const auto names = names_one(kernel_choice);
  const auto exclusive = is_exclusive(core_sharing);
  if (!names || !exclusive || !is_known(admission) || !is_known(handover) || !is_known(slm_reconfiguration)) return;
  is_head_of_line_ = *names && setting.all_use_the_same_cores;  // else there may be several heads
  allow_short_turns_ = setting.dispatchers == 1 && !*exclusive;
  // A turn of a round robin may name the launches in another order than the one before, though none could be placed.
  turns_repeat_ = setting.placement_always_chooses && kernel_choice != KernelChoice::round_robin;
}

DispatchState::DispatchState(const DispatchInput& input, CoreBank& core_bank)
    : rules(input.rules),
      workload(input.workload),
      bank(core_bank),
      selections(input.workload, bank.cores.size()),
      progress(input.workload, input.footprints, Partitioning(input.device, input.rules, input.workload, selections)),
      classes_by_request(classify_by_request(input.workload, selections, progress, input.rules.admission)),
      claims(input.rules, input.workload.launches.size(), bank.cores.size()),
      dispatchers({input.device, input.rules, input.workload, bank, progress, claims, selections, classes_by_request},
                  input.make_placement),
      classes_by_kernel_and_cores(classify_by_kernel_and_cores(input.workload, selections)),
      times(input.device, input.rules),
      traits(input.rules,
             {dispatchers.size(), dispatchers.first().search.placement_always_chooses(), selections.are_all_equal()}),
      chooser(make_kernel_chooser(input.rules, input.workload, selections)),
      begun_launches(input.workload, times),
      ports(input.rules.ports),
      changed(bank.cores.size()) {}

std::vector<CoreBlock> blocks_by_dispatcher(const DeviceSpec& device, const DispatchRules& rules) {
  auto blocks = core_blocks(device, rules.interval ? rules.interval->dispatchers : "device");
  GDSIM_CHECK(blocks.has_value(), "dispatchers of no known level passed the checks of the rules");
  return *std::move(blocks);
}

DeviceSpec device_of_block(const DeviceSpec& device, const CoreBlock& cores) {
  if (cores.count() == device.cores) return device;
  DeviceSpec block = device;
  block.cores = static_cast<std::uint32_t>(cores.count());
  block.core_groups = cores.groups;
  block.tie_order = {};
  return block;
}

Dispatchers::Dispatchers(const SearchSetting& setting, const PlacementMaker& make_placement) {
  const DeviceSpec& device = setting.device;
  for (const CoreBlock& cores : blocks_by_dispatcher(device, setting.rules)) {
    dispatchers_.push_back(std::make_unique<Dispatcher>(static_cast<std::uint32_t>(dispatchers_.size()), setting, cores,
                                                        make_placement(device_of_block(device, cores))));
    number_by_core_.resize(cores.last, static_cast<std::uint32_t>(dispatchers_.size() - 1));
  }
}

bool Dispatchers::free_until(SimTime now) {
  bool one_is_free = false;
  for (const auto& dispatcher : dispatchers_) {
    if (!dispatcher->busy_until || *dispatcher->busy_until > now) continue;
    dispatcher->busy_until.reset();
    one_is_free = true;
  }
  return one_is_free;
}

bool Dispatchers::one_is_busy() const {
  return std::any_of(dispatchers_.begin(), dispatchers_.end(),
                     [](const auto& dispatcher) { return dispatcher->is_busy(); });
}

std::uint64_t Dispatchers::evaluations() const {
  std::uint64_t sum = 0;
  for (const auto& dispatcher : dispatchers_) sum += dispatcher->search.evaluations();
  return sum;
}

namespace {

Duration length_of(const StepTime& time, Hertz clock) {
  const auto length = resolve(time, clock, Decimal::whole(1));
  GDSIM_CHECK(length.has_value(), "an invalid time of dispatch passed the checks of the device");
  return *length;
}

}  // namespace

DispatchTimes::DispatchTimes(const DeviceSpec& device, const DispatchRules& rules) : clocks_(device) {
  for (std::size_t i = 0; i < clocks_.count(); ++i) {
    Lengths& lengths = by_clock_.emplace_back();
    if (device.launch_cost) {
      lengths.serial = length_of(device.launch_cost->serial, clocks_.clock(i));
      lengths.overlapping = length_of(device.launch_cost->overlapping, clocks_.clock(i));
    }
    if (!rules.interval) continue;
    lengths.per_work_group = length_of(rules.interval->per_work_group, clocks_.clock(i));
    lengths.per_thread = length_of(rules.interval->per_thread, clocks_.clock(i));
  }
}

}  // namespace gdsim
