#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/infer/inference.hpp>
#include <gdsim/infer/log/placement_log.hpp>
#include <gdsim/infer/recovery_search.hpp>
#include <gdsim/infer/turn_timing.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// A time of a log as a file may have it: `2 cycles` of ticks, which are taken for cycles of the device's clock,
/// or `1.5 ns`.
std::string log_time_text(std::int64_t units, LogTime time);

/// The interval of dispatchers that place one work-group at a time, for each size of work-groups: the median of how
/// long placements were late, with the order statistics that hold the median in 19 of 20 cases. `dispatchers` is as
/// `interval` has it.
std::vector<TimeEstimate> interval_estimates(const TurnTiming& timing, LogTime time, const std::string& dispatchers);

/// The longest recovery that the log allows: the shortest of the gaps, ascending and not empty. From the two shortest
/// follows the lower bound, for gaps whose density is above 0 at their least value (Robson and Whitlock 1964).
TimeEstimate recovery_estimate(const std::vector<std::int64_t>& gaps, LogTime time);

/// A recovery that was searched for: the best, and those around it that explain as many of these decisions.
TimeEstimate searched_recovery_estimate(const FoundRecovery& found, std::uint64_t decisions, LogTime time);

/// From launch to first placement, of the launches that say when they were launched: the median, likewise. Empty
/// where none does.
std::vector<TimeEstimate> launch_cost_estimates(const PlacementLog& log);

}  // namespace gdsim
