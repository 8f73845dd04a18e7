#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/fit/handover.hpp>
#include <gdsim/workload/kernel.hpp>

namespace gdsim {

/// The work-group fits on `core`: with all its threads (`whole`) or with at least one.
inline bool admits(Admission admission, const Core& core, const Footprint& footprint) {
  return admission == Admission::whole ? core.fits_whole(footprint)
                                       : core.fits_group(footprint) && core.thread_capacity(footprint) > 0;
}

/// What a device's admission means for one kernel: `spread` is only for those that no core binds.
inline Admission admission_for(const Kernel& kernel, Admission admission) {
  return admission == Admission::spread && binds_to_core(kernel) ? Admission::whole : admission;
}

}  // namespace gdsim
