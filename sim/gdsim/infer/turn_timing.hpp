#pragma once

#include <gdsim/infer/core_choice.hpp>
#include <gdsim/infer/replay.hpp>

#include <cstdint>
#include <map>
#include <vector>

namespace gdsim {

/// What the times of a log say about dispatchers with these cores each. A placement is simultaneous if its dispatcher
/// placed another one at this instant; it is late if its core had room at an earlier instant at which the dispatcher
/// placed something.
struct TurnTiming {
  std::uint64_t placements = 0;  ///< but for the first of each dispatcher, and of each launch
  std::uint64_t simultaneous = 0;
  std::uint64_t late = 0;
  std::vector<std::int64_t> waits;  ///< of late ones: since that instant; ascending
  /// The same by how many threads were placed at that instant.
  std::map<std::uint32_t, std::vector<std::int64_t>> waits_by_threads;
  std::uint64_t firsts = 0;  ///< dispatchers that placed something of a launch for the first time
  std::uint64_t idle = 0;    ///< of these, later than another one although the core had room all the while

  /// Dispatchers did not wait for each other: at most one of twenty was idle.
  bool are_independent() const { return idle * 20 <= firsts; }
  /// Placing may have taken time: at most one of twenty placements is simultaneous.
  bool may_take_time() const { return are_independent() && simultaneous * 20 <= placements; }
  /// Placing may have taken none: at most one of twenty is late.
  bool may_be_instant() const { return are_independent() && late * 20 <= placements; }
};

/// Of all sessions together.
TurnTiming turn_timing(const std::vector<Replay>& replays, const CoreGrouping& grouping, std::size_t cores);

}  // namespace gdsim
