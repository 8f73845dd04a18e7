#pragma once

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

}  // namespace gdsim
