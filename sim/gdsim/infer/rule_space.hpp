#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/infer/core_choice.hpp>
#include <gdsim/infer/decision_store.hpp>
#include <gdsim/infer/inference.hpp>
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
DecisionBits batch_decisions(const std::vector<Replay>& replays, const BatchRule& rule, std::uint64_t cores,
                             std::size_t decisions);

/// The degree to which one combination of rules explains a log.
struct RuleScore {
  std::uint32_t replay = 0;  ///< position in RuleSpace::replayed
  std::uint32_t choice = 0;
  std::uint32_t batch = 0;
  std::uint64_t launches_exact = 0;
  std::uint64_t right = 0;               ///< of the judged ones
  std::uint64_t first_wave_right = 0;    ///< of the open ones
  std::uint64_t replacements_right = 0;  ///< of the open ones
  std::uint64_t combinations = 1;  ///< that differ in the batch, and have the same result for this log, this included
};

/// A log, replayed with one admission and recovery: the data that do not depend on the other rules.
struct ReplayedLog {
  Admission admission = Admission::whole;
  bool exceeds_device = false;  ///< by the log, a core held more whole work-groups at once than the device allows
  std::int64_t recovery = 0;    ///< in units of LoggedGroup::start
  std::vector<Replay> replays;
  DecisionMasks masks;
  std::vector<TurnTiming> timings;    ///< by grouping
  std::vector<DecisionBits> choices;  ///< by choice: right decisions, without batches
  std::vector<bool> is_possible;      ///< by choice: the times of the log do not contradict it
  std::vector<BatchVariant> batches;
};

/// Returns, by launch, true if all its judged decisions are right, and there is one.
std::vector<bool> exact_launches(const DecisionBits& right, const DecisionMasks& masks);

/// The combinations of rules that are tried on a log: choices of cores x batches x admissions x recoveries.
struct RuleSpace {
  const PlacementLog& log;
  const std::vector<LogFootprints>& footprints;          ///< by session
  const std::vector<LogFootprints>& partial_footprints;  ///< by session, for work-groups that are admitted in part
  const DeviceSpec& device;
  const PlacementCatalog& policies;
  std::vector<CoreGrouping> groupings;
  std::vector<CoreChoice> choices;
  std::vector<ReplayedLog> replayed;

  /// Returns the number of combinations tried, alike or not.
  std::uint64_t size() const;
  /// Returns the right decisions of a combination.
  DecisionBits right_decisions(const RuleScore& score) const;
};

/// Returns true if the combination needs only groups of cores that the device names.
bool is_of_device(const RuleSpace& space, const RuleScore& score);

/// Replays the log with each of its recoveries; if work-groups of several threads are described, also as if they were
/// admitted in part. Makes no decision. `prepared` must outlive the result.
RuleSpace make_rule_space(const PreparedLog& prepared, const PlacementCatalog& policies);

/// Returns the number of parts to decide: each replay times each choice of cores.
std::uint64_t parts_of(const RuleSpace& space);

/// Returns the right decisions of one part.
DecisionBits decide_part(const RuleSpace& space, std::uint64_t part);

/// Fills ReplayedLog::choices: from `known`, which then has every part, or, if it is null, by deciding each.
void decide_parts(RuleSpace& space, Jobs jobs, const KnownDecisions* known);

/// Replays the log with one more recovery, for whole work-groups only.
void add_recovery(RuleSpace& space, std::int64_t recovery, Jobs jobs);

/// Returns the scores of all combinations, the best first: by exact launches, then by decisions; of equally good ones,
/// the simpler first. Combinations with the same result for this log are scored once.
std::vector<RuleScore> score_rules(const RuleSpace& space, Jobs jobs);

}  // namespace gdsim
