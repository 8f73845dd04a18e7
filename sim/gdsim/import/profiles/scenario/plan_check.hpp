#pragma once

#include <gdsim/import/profiles/scenario/plan_times.hpp>
#include <gdsim/import/profiles/scenario/profile_plan.hpp>
#include <gdsim/run/simulate.hpp>

namespace gdsim {

/// Simulates the whole plan and notes for each launch whether its begin and its duration are within 1 % of those
/// measured. The begins of copies are expected; copies with other durations are loose. Replaces the notes of earlier
/// calls.
void check_plan(ProfilePlan& plan, PlanSimulator& simulator, Reaching reaching);

/// Simulates the achieved occupancy of the plan's only launch, if it was counted.
void find_occupancy(const DeviceSpec& device, ProfilePlan& plan, const StopToken& stop);

}  // namespace gdsim
