#include <gdsim/dispatch/placement/wait_reason.hpp>

namespace gdsim {

WaitReason wait_reason(const Core& core, const Footprint& footprint, Admission admission) {
  if (const auto pool = core.scarce_pool(footprint)) switch (*pool) {
      case Pool::contexts: return WaitReason::contexts;
      case Pool::slots:
      case Pool::barrier_or_slm_slots: return WaitReason::work_group_slots;
      case Pool::slm: return WaitReason::slm;
      case Pool::barriers: return WaitReason::barriers;
    }
  const std::uint32_t threads = admission == Admission::whole ? footprint.threads : 1;
  if (core.context_capacity(footprint) < threads) return WaitReason::contexts;
  return core.has_context_range(footprint) ? WaitReason::registers : WaitReason::context_ranges;
}

}  // namespace gdsim
