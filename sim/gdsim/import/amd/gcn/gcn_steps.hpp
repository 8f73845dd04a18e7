#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/amd/gcn/gcn_profile.hpp>
#include <gdsim/import/imported_scenario.hpp>

namespace gdsim {

/// Adds the steps of the kernel's waves, or the reasons why there are none. Loads go out when the wave next waits, and
/// `s_waitcnt vmcnt(N)` waits for those that it does not leave outstanding. Accesses to LDS take their time where the
/// wave waits for them. Where waves do different things, the steps between barriers are written for each class of them.
void add_gcn_steps(const GcnProfile& profile, const DeviceSpec& device, ImportedProgram& program);

}  // namespace gdsim
