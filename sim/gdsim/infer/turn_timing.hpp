#pragma once

#include <gdsim/infer/core_choice.hpp>
#include <gdsim/infer/replay.hpp>

#include <cstdint>
#include <map>
#include <vector>

namespace gdsim {

/// The timing of dispatchers, each with the same cores, by the times of a log. A placement is simultaneous if its
/// dispatcher placed another work-group at the same instant. It is late if its core had room at an earlier instant at
/// which the dispatcher placed a work-group.
struct TurnTiming {
  std::uint64_t placements = 0;  ///< without the first of each dispatcher, and of each launch
  std::uint64_t simultaneous = 0;
  std::uint64_t late = 0;
  std::vector<std::int64_t> waits;  ///< of late placements, since that instant; ascending
  /// The same by the number of threads placed at that instant.
  std::map<std::uint32_t, std::vector<std::int64_t>> waits_by_threads;
  std::uint64_t firsts = 0;  ///< dispatchers that placed something of a launch for the first time
  std::uint64_t idle = 0;    ///< among these, later than another one although the core always had room

  /// Returns true if dispatchers did not wait for each other: at most one of twenty was idle.
  bool are_independent() const { return idle * 20 <= firsts; }
  /// Returns true if placing may have taken time: at most one of twenty placements is simultaneous.
  bool may_take_time() const { return are_independent() && simultaneous * 20 <= placements; }
  /// Returns true if placing may have taken no time: at most one of twenty placements is late.
  bool may_be_instant() const { return are_independent() && late * 20 <= placements; }
};

/// Returns the timing of all sessions together.
TurnTiming turn_timing(const std::vector<Replay>& replays, const CoreGrouping& grouping, std::size_t cores);

}  // namespace gdsim
