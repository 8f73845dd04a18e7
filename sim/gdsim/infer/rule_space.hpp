#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/infer/batch_space.hpp>
#include <gdsim/infer/core_choice.hpp>
#include <gdsim/infer/decision_masks.hpp>
#include <gdsim/infer/decision_store.hpp>
#include <gdsim/infer/prepared_log.hpp>
#include <gdsim/infer/turn_timing.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// How well one combination of rules explains a log.
struct RuleScore {
  std::uint32_t recovery = 0;  ///< position of its ReplayedLog
  std::uint32_t choice = 0;
  std::uint32_t batch = 0;
  std::uint64_t launches_exact = 0;
  std::uint64_t right = 0;               ///< of the judged ones
  std::uint64_t first_wave_right = 0;    ///< of the open ones
  std::uint64_t replacements_right = 0;  ///< of the open ones
  std::uint64_t alike = 1;               ///< combinations that differ in the batch, and do the same with this log
};

/// A log, replayed with one admission and recovery: what does not depend on the rest of the rules.
struct ReplayedLog {
  Admission admission = Admission::whole;
  bool exceeds_device = false;  ///< more whole work-groups were at once on a core than the device holds by the log
  std::int64_t recovery = 0;    ///< in units of LoggedGroup::start
  std::vector<Replay> replays;
  DecisionMasks masks;
  std::vector<TurnTiming> timings;    ///< by grouping
  std::vector<DecisionBits> choices;  ///< by choice: right decisions, without batches
  std::vector<bool> is_possible;      ///< by choice: the times of the log do not contradict it
  std::vector<BatchVariant> batches;
};

/// By launch: every decision of it that is judged is right, and there is one.
std::vector<bool> exact_launches(const DecisionBits& right, const DecisionMasks& masks);

/// The combinations of rules that are tried on a log: choices of cores x batches x admissions x recoveries.
struct RuleSpace {
  const PlacementLog& log;
  const std::vector<LogFootprints>& footprints;          ///< by session
  const std::vector<LogFootprints>& partial_footprints;  ///< likewise, where work-groups are admitted in part
  const DeviceSpec& device;
  const PolicyCatalog& policies;
  std::vector<CoreGrouping> groupings;
  std::vector<CoreChoice> choices;
  std::vector<ReplayedLog> replayed;

  /// So many combinations are tried, alike or not.
  std::uint64_t size() const;
  /// The right decisions of a combination.
  DecisionBits right(const RuleScore& score) const;
};

/// Replays the log with each of its recoveries; where work-groups of several threads are described, also as if they
/// were admitted in part. Nothing is decided yet. `prepared` must outlive the answer.
RuleSpace make_rule_space(const PreparedLog& prepared, const PolicyCatalog& policies);

/// So many choices are decided with the log: each replay times each choice of cores.
std::uint64_t parts_of(const RuleSpace& space);

/// The right decisions of one of them.
DecisionBits decide_part(const RuleSpace& space, std::uint64_t part);

/// Decides all of them, but for those that are known.
void decide_choices(RuleSpace& space, Jobs jobs, const KnownDecisions* known);

/// Replays the log with one more recovery, whole work-groups alone.
void add_recovery(RuleSpace& space, std::int64_t recovery, Jobs jobs);

/// The scores of all combinations, the best first: by launches that are exact, then by decisions; what is simpler goes
/// before what is as good. Combinations that do the same with this log are scored once.
std::vector<RuleScore> score_rules(const RuleSpace& space, Jobs jobs);

}  // namespace gdsim
