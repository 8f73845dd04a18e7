#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/dispatch/placement/placements.hpp>
#include <gdsim/infer/core_choice.hpp>
#include <gdsim/infer/decision_store.hpp>
#include <gdsim/infer/inference.hpp>
#include <gdsim/infer/log/placement_log.hpp>
#include <gdsim/infer/rule_space.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gdsim {

/// What rules are inferred from, and what with.
struct InferenceTask {
  const SourceText& source;  ///< of the log, for the places of its problems
  PlacementLog log;
  const DeviceSpec& model;  ///< of the device that made it
  const PlacementCatalog& policies;
  Jobs jobs;
};

/// Finds the combinations of dispatch rules that explain the log on this device. Each combination predicts, decision by
/// decision and with all earlier work-groups where the log has them, the core that takes the next work-group. It fits
/// if it is right in 9 of 10 open decisions, before and after the first end, and if chance would give as much with a
/// probability of less than one in a thousand, the number of combinations considered. The device's own rules have no
/// influence. Problems with the log and the device, such as work-groups that no core holds, are added with their
/// places; then the result is not usable. It is the same with any number of jobs and from any number of shards.
Inference infer_rules(InferenceTask task, Diagnostics& problems);

/// Computes the part of one shard: decides every N-th choice of cores, unless `file` has it already. Returns the number
/// of all choices; nothing is written if there are problems.
std::uint64_t infer_shard(InferenceTask task, const Shard& shard, const std::filesystem::path& file,
                          const InferenceIdentity& identity, Diagnostics& problems);

/// infer_rules() with the decisions of the shards in these files.
Inference infer_from_shards(InferenceTask task, std::span<const std::filesystem::path> files,
                            const InferenceIdentity& identity, Diagnostics& problems);

/// The recovery with which rules explain a log best, in units of LoggedGroup::start, and the range around it in which
/// they explain the log equally well. It is the shortest number in the range.
struct FoundRecovery {
  std::int64_t recovery = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// Searches for the recovery if no slot shows it: if the dispatcher is slower than work-groups end, free slots wait for
/// it, and the minimum time until one is reused is no evidence. Each choice of cores that explains the first wave of a
/// log is tried with many recoveries, and scored by the number of decisions for which it agrees with the log. Returns
/// the best recoveries of the best choices, at most three; empty for a log without times or ends. The result does not
/// depend on the number of jobs.
std::vector<FoundRecovery> search_recoveries(const RuleSpace& space, Jobs jobs);

/// Whether a work-group that ends early is tried, too, if no work-groups of a scenario differ.
enum class OneEarly : std::uint8_t { no, yes };

/// A scenario and the required series of occupancies.
struct PhaseTarget {
  std::string name;
  const Scenario* scenario = nullptr;
  std::vector<Expectation> phases;  ///< items of `expect: phases`, all of which have to hold
};

/// Rules that give the required series of every scenario.
struct PhasePolicy {
  RuleKeys rules;
  std::vector<std::string> early;  ///< by scenario: the work-group that has to end early; empty: none
};

/// The rules that give the required series.
struct PhaseInference {
  std::vector<std::string> scenarios;
  std::vector<std::uint64_t> fitting;  ///< by scenario: number of rules that give its series
  std::vector<PhasePolicy> policies;   ///< policies that give all series
  std::uint64_t tried = 0;             ///< combinations of rules
  std::uint64_t runs = 0;
  std::vector<std::string> not_told;  ///< keys of `dispatch` with the scenario's value that do not matter
  Verdict verdict = Verdict::none;
  std::string sentence;
  bool is_interrupted = false;  ///< a stop was requested; all other members are empty
};

/// Runs every target under every combination of placement, admission, ports (1 to 7, and unlimited) and handover; all
/// other keys of dispatch are the scenario's. The result is the same with any number of jobs.
PhaseInference infer_policies(const std::vector<PhaseTarget>& targets, OneEarly one_early, const RunOptions& options,
                              Jobs jobs);

std::string phase_inference_text(const PhaseInference& inference);
void write_phase_inference_json(const PhaseInference& inference, Sink& sink);
void write_phase_inference_csv(const PhaseInference& inference, Sink& sink);

/// The minimum of right decisions, out of 10 open ones, with which a rule explains a log.
inline constexpr std::uint64_t kMinRight = 9;
inline constexpr std::uint64_t kMinRightOf = 10;
/// The minimum evidence against chance, all combinations together: a probability below 2^-kMinBits.
inline constexpr std::uint64_t kMinBits = 10;

/// Returns true if the right decisions are enough, and more than chance gives for the best of `alternatives` rules.
bool explains(const ChanceLevel& chance, std::uint64_t right, std::uint64_t alternatives);

/// Returns true if the combination explains the whole log: before and after the first end, and more than chance.
bool explains(const RuleSpace& space, const RuleScore& score);

/// Selects, from scores with the best first, those that explain the log and that it does not distinguish from the best
/// of them (is_distinguishably_better(), or by the launches that only one of them explains exactly). Of combinations
/// that differ only in the recovery, keeps the first; of those that differ in the batch and are right in the same
/// decisions, the simplest, with their number.
std::vector<RuleScore> fitting(const RuleSpace& space, const std::vector<RuleScore>& scores);

/// Returns the keys of `dispatch` that the combination sets.
RuleKeys rule_keys(const RuleSpace& space, const RuleScore& score);

/// Returns the verdicts on parts of the log, replayed with one of the recoveries (its position): on the first wave and
/// on replacements, and on each launch if there are few.
std::vector<PartVerdict> part_verdicts(const RuleSpace& space, std::uint32_t recovery);

/// Returns the log's first decision, by session and then time, for which these rules choose another core, or nullopt.
std::optional<WrongDecision> first_wrong_decision(const RuleSpace& space, const RuleScore& score);

/// Returns the launches for which these rules differ from the log in some decision, in the order of the log.
std::vector<std::string> inexact_launches(const RuleSpace& space, const RuleScore& score);

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
