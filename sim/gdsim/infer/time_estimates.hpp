#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/infer/infer_rules.hpp>
#include <gdsim/infer/inference.hpp>
#include <gdsim/infer/log/placement_log.hpp>
#include <gdsim/infer/turn_timing.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// Returns a time of a log as written in a file: `2 cycles` for ticks, which count as cycles of the device's clock, or
/// `1.5 ns`.
std::string log_time_text(std::int64_t units, LogTime time);

/// Estimates the interval of dispatchers that place one work-group at a time, for each size of work-groups: the median
/// delay of late placements, with the order statistics that contain the median in 19 of 20 cases. `dispatchers` is as
/// in `interval`.
std::vector<TimeEstimate> interval_estimates(const TurnTiming& timing, LogTime time, const std::string& dispatchers);

/// Returns the longest recovery that the log allows: the shortest of the gaps, which are ascending and not empty. The
/// lower bound follows from the two shortest gaps, if their density is above 0 at their minimum (Robson and Whitlock
/// 1964).
TimeEstimate recovery_estimate(const std::vector<std::int64_t>& gaps, LogTime time);

/// Estimates a recovery that was searched for: the best one, and the range around it that explains as many decisions.
TimeEstimate searched_recovery_estimate(const FoundRecovery& found, std::uint64_t decisions, LogTime time);

/// Estimates the launch cost: the median time from launch to first placement, with the same interval, of the launches
/// with a launch time. Empty if there are none.
std::vector<TimeEstimate> launch_cost_estimates(const PlacementLog& log);

}  // namespace gdsim
