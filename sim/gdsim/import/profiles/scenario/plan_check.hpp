#pragma once

#include <gdsim/import/profiles/scenario/profile_plan.hpp>
#include <gdsim/run/simulate.hpp>

namespace gdsim {

/// Simulates the whole plan on `device`, and notes of each launch whether it begins and lasts within 1 % of what was
/// measured. Copies are expected to begin in time; those that last otherwise are loose. What an earlier call noted is
/// replaced.
void check_plan(const DeviceSpec& device, ProfilePlan& plan, const StopToken& stop);

}  // namespace gdsim
