#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/workload/kernel.hpp>

namespace gdsim {

/// Returns true if the program has a barrier, or the kernel needs SLM: its threads must be on one core.
inline bool binds_to_core(const Kernel& kernel) {
  return has_barrier(kernel.program) || kernel.needs.slm.total.count > 0;
}

/// Returns true if a partially placed work-group of the kernel is handed over to its core, which frees the port.
inline bool hands_over(const DispatchRules& rules, const Kernel& kernel) {
  return rules.handover == Handover::always || (rules.handover == Handover::barrier_or_slm && binds_to_core(kernel));
}

}  // namespace gdsim
