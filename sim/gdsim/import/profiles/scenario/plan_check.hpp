#pragma once

#include <gdsim/import/profiles/scenario/profile_plan.hpp>
#include <gdsim/run/simulate.hpp>

namespace gdsim {

/// Simulates the whole plan on `device` and notes for each launch whether its begin and its duration are within 1 % of
/// those measured. The begins of copies are expected; copies with other durations are loose. Replaces the notes of
/// earlier calls.
void check_plan(const DeviceSpec& device, ProfilePlan& plan, const StopToken& stop);

}  // namespace gdsim
