#include <gdsim/dispatch/dispatch_traits.hpp>

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

std::optional<bool> spreads(Admission admission) {
  switch (admission) {
    case Admission::whole:
    case Admission::partial: return false;
    case Admission::spread: return true;
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
bool is_known(Handover handover) {
  return handover == Handover::never || handover == Handover::barrier_or_slm || handover == Handover::always;
}
bool is_known(SlmReconfiguration reconfiguration) {
  return reconfiguration == SlmReconfiguration::free || reconfiguration == SlmReconfiguration::drains_core;
}

}  // namespace

DispatchTraits::DispatchTraits(const DispatchRules& rules, const DispatchTimes& times, const Setting& setting) {
  // A new rule does not compile here until it is added below. Some rules are not tested here. `placement`, and one of
  // `own_placements`, describes its state. Ports and tie orders are state of every turn. `recovery` and `partition` are
  // tested by `times` and `setting`. With `preemption`, each process dispatches in its own time, as if it were alone.
  [[maybe_unused]] const auto& [placement, admission, ports, handover, kernel_choice, concurrent_kernels, core_sharing,
                                slm_reconfiguration, interval, recovery, batch, tie_order, partition, preemption,
                                own_placements, own_kernel_choice] = rules;
  const auto names = names_one(kernel_choice);
  const auto spread = spreads(admission);
  const auto exclusive = is_exclusive(core_sharing);
  if (!names || !spread || !exclusive || !is_known(handover) || !is_known(slm_reconfiguration)) return;
  are_known_ = true;
  clock_changes_ = times.clock_changes();
  is_preempted_ = preemption.has_value();
  is_head_of_line_ = *names;
  const bool is_one = setting.dispatchers == 1;
  allow_incremental_turns_ = is_one && !*exclusive;
  allow_incremental_placing_ = allow_incremental_turns_ && *names && !interval && setting.placement_is_described;
  allow_slot_reuse_ =
      is_one && *names && !batch && !times.delays_reuse() && !setting.is_partitioned && setting.placement_is_described;
  allow_isolated_launches_ = *names && !*exclusive && !*spread && setting.placement_is_described;
  const bool tries_several = kernel_choice == KernelChoice::round_robin || kernel_choice == KernelChoice::skip_blocked;
  allow_shared_requests_ = is_one && tries_several && setting.placement_is_described && !interval &&
                           !times.launches_cost() && !concurrent_kernels && !*exclusive && !*spread &&
                           !setting.is_partitioned;
}

}  // namespace gdsim
