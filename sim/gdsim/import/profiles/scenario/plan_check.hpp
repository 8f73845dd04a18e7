#pragma once

#include <gdsim/compile/compile.hpp>
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

/// Thrown if an import was requested to stop: there is no result, and nothing must be written.
struct ImportStopped {};

/// simulate(), but throws ImportStopped if `stop` was requested before the run was over.
RunResult stoppable_run(const Compiled& compiled, const StopToken& stop);

/// A workload of one launch of the kernel.
Workload lone_launch(const Kernel& kernel);

/// The duration of lone_launch(), which must compile; 0 if it never begins. Throws like stoppable_run().
Duration lone_duration(const DeviceSpec& device, const Kernel& kernel, const StopToken& stop);

}  // namespace gdsim
