#pragma once

#include <gdsim/import/profiles/scenario/plan_times.hpp>
#include <gdsim/import/profiles/scenario/profile_plan.hpp>
#include <gdsim/run/simulate.hpp>

namespace gdsim {

/// Launches that overlap share the device, and so take longer than alone. Launches of a checked plan with wrong
/// durations get their own kernels. Their computing is scaled until the durations match, by simulating them a few
/// times, or fewer if that would take long, with the launches beside them. The best plan is kept.
void refine_plan(const DeviceSpec& device, ProfilePlan& plan, PlanSimulator& simulator);

}  // namespace gdsim
