#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/import/profiles/scenario/profile_plan.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

// Rule: busy periods.
//
// A plan is simulated by busy periods: launches each of which begins before all earlier ones have ended, or before what
// these held has recovered. A launch that is a period of its own begins when it is submitted, and lasts as long as
// alone on the device, which fitting its kernel has found; a copy as long as its bytes take. The launches of any other
// period are simulated together. One that ends later than measured may reach into the next period, which then is one
// with its own. The whole plan is one period where what was before always matters: where the clock changes, work is
// drawn, submissions are batched, or cores are taken in turn among groups that differ.

namespace gdsim {

/// When a launch of a plan begins and how long it lasts, in a simulation of the whole plan.
struct LaunchTimes {
  std::optional<SimTime> begun;
  Duration duration;
};

/// Returns the first launches of the busy periods of a plan, as measured.
std::vector<std::size_t> busy_periods(const DeviceSpec& device, const ProfilePlan& plan);

/// Whether launches that end later than measured delay those of the next busy period. They need not while their
/// computing is still to be changed.
enum class Reaching : std::uint8_t { simulated, ignored };

/// Simulates plans that differ in the computing of some kernels: each busy period only once for the same computing.
class PlanSimulator {
 public:
  /// The device must outlive this. Any simulation throws ImportStopped once `stop` is requested.
  PlanSimulator(const DeviceSpec& device, StopToken stop) : device_(device), stop_(std::move(stop)) {}

  /// Returns the times of all launches of the plan.
  std::vector<LaunchTimes> times_of(const ProfilePlan& plan, Reaching reaching);
  /// The number of work-groups simulated so far.
  std::uint64_t groups() const { return groups_; }

 private:
  using Times = std::vector<LaunchTimes>;

  Times period(const ProfilePlan& plan, std::size_t first, std::size_t last);
  Times simulate(const ProfilePlan& plan, std::size_t first, std::size_t last);

  const DeviceSpec& device_;
  StopToken stop_;
  std::map<std::vector<std::int64_t>, Times> known_;  ///< by the starts and kernels' computing of a period's launches
  std::uint64_t groups_ = 0;
};

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

/// The launch has no kernel: it is a copy, or it was left out.
inline constexpr std::size_t kNoKernel = ~std::size_t{0};

/// Adds the launches of a profile to a plan that has its kernels: each with its queue, its start and its expected
/// times. If starts are unknown, each launch follows the previous one. Throws InputError if the profile spans more time
/// than can be simulated.
void plan_launches(const Profile& profile, const std::vector<std::size_t>& kernel_of_launch, ProfilePlan& plan);

/// Launches that overlap share the device, and so take longer than alone. Launches of a checked plan with wrong
/// durations get their own kernels. Their computing is scaled until the durations match, by simulating them a few
/// times, or fewer if that would take long, with the launches beside them. The best plan is kept.
void refine_plan(const DeviceSpec& device, ProfilePlan& plan, PlanSimulator& simulator);

}  // namespace gdsim
