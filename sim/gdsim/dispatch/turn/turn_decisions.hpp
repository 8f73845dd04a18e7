#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/dispatch/turn/grant.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// The outcome of a turn for a launch.
enum class TurnVerdict : std::uint8_t {
  preparing,         ///< it was not named: it has begun, and its launch cost is not paid
  left_over,         ///< it was not named: all its work-groups have begun, but threads of them are not placed
  pays_launch_cost,  ///< it was named, begins or has begun, and its launch cost is not paid
  no_dispatcher,     ///< it would be next if the dispatchers that are busy were not
  no_port,           ///< no port is free
  no_core,           ///< no core of the dispatcher takes its next work-group, or the rest of its spread one
  spreads,           ///< some threads of a work-group were placed, which keeps the dispatcher busy; others are left
  placed,            ///< a work-group was placed, or its first threads, or the last of a spread one
  exhausted,         ///< it has no further work-group; threads of its last ones may not be placed
};

/// A launch with its verdict, and the number of the dispatcher that gave it, if any.
struct TurnAnswer {
  LaunchId launch{};
  TurnVerdict verdict{};
  std::uint32_t dispatcher = 0;
};

/// The decisions of a dispatch turn, without reasons: an answer for every launch that it names, in the order of naming.
struct TurnDecisions {
  std::vector<Grant> grants;
  std::vector<TurnAnswer> answers;
  std::vector<SimTime> next_turns;  ///< when dispatchers are no longer busy, or launches are prepared; in no order

  void begin_turn() {
    grants.clear();
    answers.clear();
    next_turns.clear();
  }
  void answer(LaunchId launch, TurnVerdict verdict, std::uint32_t dispatcher = 0) {
    answers.push_back({launch, verdict, dispatcher});
  }
};

}  // namespace gdsim
