#pragma once

#include <gdsim/infer/chance.hpp>
#include <gdsim/infer/decision_bits.hpp>
#include <gdsim/infer/log/placement_log.hpp>
#include <gdsim/infer/replay.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// Some of the decisions of a log, and the expected result of chance.
struct DecisionSet {
  DecisionBits bits;
  ChanceLevel chance;
};

/// The decisions of one launch.
struct LaunchDecisions {
  std::string name;
  std::uint32_t first = 0;  ///< first bit
  std::uint32_t last = 0;   ///< bit after the last
  std::uint64_t judged = 0;
};

/// Sets of decisions. A decision is open if more than one core had room, or if the work-group went to a core without
/// room: other decisions are no evidence. If the clock is too coarse to order events, a decision at an instant of a
/// release is not open, either; nor is one that is uncertain by the noise of the log.
struct DecisionMasks {
  DecisionSet judged;        ///< all except those left out
  DecisionSet open;          ///< all that are open
  DecisionSet first_wave;    ///< open ones before anything has ended
  DecisionSet replacements;  ///< open ones after that
  DecisionBits repeats;      ///< the work-group is on the core of the previous one, of the same launch
  std::vector<LaunchDecisions> launches;
};

/// Whether the clock of a log orders events.
enum class LogClock : std::uint8_t { fine, coarse };

/// Returns the masks of a log that was replayed.
DecisionMasks decision_masks(const PlacementLog& log, const std::vector<Replay>& replays, LogClock clock);

/// Returns the decisions of `set` that belong to one launch.
DecisionSet of_launch(const DecisionSet& set, const LaunchDecisions& launch, const std::vector<Replay>& replays);

}  // namespace gdsim
