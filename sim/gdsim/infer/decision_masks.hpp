#pragma once

#include <gdsim/infer/chance.hpp>
#include <gdsim/infer/decision_bits.hpp>
#include <gdsim/infer/log/placement_log.hpp>
#include <gdsim/infer/replay.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// Some of the decisions of a log, and what chance would give.
struct DecisionSet {
  DecisionBits bits;
  ChanceLevel chance;
};

/// The decisions of one launch.
struct LaunchDecisions {
  std::string name;
  std::uint32_t first = 0;  ///< bit
  std::uint32_t last = 0;   ///< the one behind them
  std::uint64_t judged = 0;
};

/// Which decisions count for what. A decision is open if more than one core had room, or if the work-group went where
/// none was: others say nothing about rules. With a clock that is too coarse to order what happens, neither does one at
/// an instant at which something was released; nor one that is uncertain by the noise of the log.
struct DecisionMasks {
  DecisionSet judged;        ///< all but those that were left out
  DecisionSet open;          ///< all that are open
  DecisionSet first_wave;    ///< open ones before anything has ended
  DecisionSet replacements;  ///< open ones behind that
  DecisionBits repeats;      ///< the work-group is on the core of the one before, of the same launch
  std::vector<LaunchDecisions> launches;
};

/// Whether the clock of a log orders what happens.
enum class LogClock : std::uint8_t { fine, coarse };

/// Those of a log that was replayed.
DecisionMasks decision_masks(const PlacementLog& log, const std::vector<Replay>& replays, LogClock clock);

/// The decisions of `set` that belong to one launch.
DecisionSet of_launch(const DecisionSet& set, const LaunchDecisions& launch, const std::vector<Replay>& replays);

}  // namespace gdsim
