#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/infer/decision_masks.hpp>
#include <gdsim/infer/replay.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Rules of batches with the same effect on the launches of a log.
struct BatchVariant {
  std::optional<BatchRule> rule;  ///< the simplest of these rules; nullopt: no batches
  std::uint64_t rules = 1;        ///< number of tried rules with this effect
};

/// Returns every rule of batches that is tried: sizes 2, 3, 4 and 8; thresholds of 0 to 4 x cores + 0 to 8 for the
/// work-groups of the launch, and the same for the remaining ones. Thresholds with no launch between them are merged.
std::vector<BatchVariant> batch_variants(const std::vector<Replay>& replays, std::uint64_t cores);

/// Returns the decisions that the batch makes: the work-group goes to the core of the previous one.
DecisionBits batched(const std::vector<Replay>& replays, const BatchRule& rule, std::uint64_t cores,
                     std::size_t decisions);

}  // namespace gdsim
