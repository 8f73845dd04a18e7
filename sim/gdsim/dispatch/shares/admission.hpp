#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/fit/handover.hpp>
#include <gdsim/workload/kernel.hpp>

namespace gdsim {

/// Returns the admission of a kernel under the device's rule: `spread` applies only to kernels not bound to one core.
inline Admission admission_for(const Kernel& kernel, Admission admission) {
  return admission == Admission::spread && binds_to_core(kernel) ? Admission::whole : admission;
}

}  // namespace gdsim
