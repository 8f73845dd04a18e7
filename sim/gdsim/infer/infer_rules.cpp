#include <gdsim/infer/infer_rules.hpp>

#include <gdsim/base/quantity.hpp>
#include <gdsim/infer/inference.hpp>
#include <gdsim/infer/rule_space.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace gdsim {
namespace {

constexpr std::size_t kMinCandidates = 20;  ///< the best ones, whether they fit or not
constexpr std::size_t kMaxCandidates = 200;

RuleCandidate candidate_of(const RuleSpace& space, const RuleScore& score) {
  const ReplayedLog& replayed = space.replayed[score.replay];
  const CoreGrouping& grouping = space.groupings[space.choices[score.choice].grouping];
  const ChanceLevel& chance = replayed.masks.judged.chance;
  RuleCandidate candidate;
  candidate.rules = rule_keys(space, score);
  if (!grouping.is_of_device) candidate.groups = grouping.levels.front().count;
  candidate.launches_exact = score.launches_exact;
  candidate.launches =
      static_cast<std::uint64_t>(std::count_if(replayed.masks.launches.begin(), replayed.masks.launches.end(),
                                               [](const LaunchDecisions& launch) { return launch.judged > 0; }));
  candidate.share = {score.right, std::max<std::uint64_t>(chance.decisions, 1)};
  candidate.chance = chance.share();
  candidate.like = score.combinations;
  candidate.first_wrong = first_wrong_decision(space, score);
  candidate.inexact = inexact_launches(space, score);
  return candidate;
}

/// Removes rules with groups other than the device's own, if other rules fit. Returns the number of removed ones.
std::size_t leave_out_foreign(const RuleSpace& space, std::vector<RuleScore>& fit) {
  if (std::none_of(fit.begin(), fit.end(), [&](const RuleScore& score) { return is_of_device(space, score); }))
    return 0;
  return std::erase_if(fit, [&](const RuleScore& score) { return !is_of_device(space, score); });
}

std::string explanation_of(const RuleCandidate& best) {
  return fmt::format("{} of {} launches exactly, {} of the work-groups on the right core, {} by chance",
                     best.launches_exact, best.launches, percent_text(best.share), percent_text(best.chance));
}

/// For a log that no rule explains as a whole: the results for its parts; empty if there are none.
std::string parts_of(const Inference& inference) {
  const bool some = std::any_of(inference.parts.begin(), inference.parts.end(),
                                [](const PartVerdict& part) { return part.verdict != Verdict::none; });
  std::string text;
  for (const PartVerdict& part : inference.parts)
    if (some) text += " " + part.sentence + ".";
  return text;
}

std::string sentence_of(const Inference& inference, const std::vector<RuleScore>& fit, std::size_t foreign) {
  if (inference.open == 0)
    return "None fits: in no decision of this log had more than one core room, so it says nothing about rules.";
  if (inference.candidates.empty()) return "None fits: the times of the log contradict every rule.";
  const RuleCandidate& best = inference.candidates.front();
  if (inference.verdict == Verdict::none)
    return fmt::format("None of {} combinations of rules fits; the best, {}, explains {}.{}", inference.tried,
                       short_text(best), explanation_of(best), parts_of(inference));
  std::string text = fmt::format("Of {} combinations of rules, ", inference.tried);
  if (inference.verdict == Verdict::one)
    text += fmt::format("one fits: {} explains {}.", short_text(best), explanation_of(best));
  if (inference.verdict == Verdict::several) {
    text += fmt::format("{} fit, and this log does not distinguish them: ", fit.size());
    constexpr std::size_t max_named = 6;
    for (std::size_t i = 0; i < std::min(fit.size(), max_named); ++i)
      text += (i > 0 ? " or " : "") + short_text(inference.candidates[i]);
    if (fit.size() > max_named) text += fmt::format(" and {} more", fit.size() - max_named);
    text += fmt::format(". The first explains {}.", explanation_of(best));
  }
  if (best.like > 1)
    text +=
        fmt::format(" {} other rules of batches would do the same with this log as those of the first.", best.like - 1);
  if (foreign > 0) text += fmt::format(" So would {} with groups of cores that the device does not name.", foreign);
  return text;
}

/// Adds notes for a person on the rules that were left out because the log has no evidence of them.
void note_what_is_not_tried(const PlacementLog& log, std::vector<std::string>& notes) {
  notes.push_back(
      "numbers of cores are taken as they are: an order of ties is one of these numbers; ports, handover, kernel "
      "choice and concurrent kernels leave no trace in such a log and were not tried; admission is named where "
      "it matters");
  if (log.time == LogTime::none)
    notes.push_back("the log has no times: only what fits at once is judged, and nothing is taken to end");
}

void add_times(const RuleSpace& space, const std::vector<RuleScore>& fit, const std::vector<std::int64_t>& gaps,
               const std::vector<FoundRecovery>& found, std::vector<TimeEstimate>& times) {
  if (space.log.time == LogTime::none) return;
  const ReplayedLog& replayed = space.replayed[fit.empty() ? space.replayed.size() - 1 : fit.front().replay];
  std::size_t grouping = 0;
  if (!fit.empty() && space.choices[fit.front().choice].group_order == GroupOrder::one_each)
    grouping = space.choices[fit.front().choice].grouping;
  // If no rule fits: the largest groups that may each have had a dispatcher that takes time.
  for (std::size_t i = 1; fit.empty() && i < space.groupings.size(); ++i) {
    const bool is_better = !replayed.timings[grouping].may_take_time() && replayed.timings[i].may_take_time();
    if (is_better) grouping = i;
  }
  const TurnTiming& timing = replayed.timings[grouping];
  if (timing.may_take_time()) times = interval_estimates(timing, space.log.time, space.groupings[grouping].level);
  const auto searched = std::find_if(found.begin(), found.end(), [&](const FoundRecovery& recovery) {
    return !fit.empty() && recovery.recovery == replayed.recovery && recovery.recovery > 0;
  });
  if (searched != found.end())
    times.push_back(
        searched_recovery_estimate(*searched, replayed.masks.replacements.chance.decisions, space.log.time));
  else if (!gaps.empty())
    times.push_back(recovery_estimate(gaps, space.log.time));
  for (TimeEstimate& estimate : launch_cost_estimates(space.log)) times.push_back(std::move(estimate));
}

/// Returns the replay for evaluating parts: that of the best rules if its recovery was searched for, else that of whole
/// work-groups with the longest recovery.
std::uint32_t replay_of_parts(const RuleSpace& space, const std::vector<RuleScore>& scores, bool was_searched) {
  if (was_searched) return scores.front().replay;
  std::uint32_t replay = 0;
  for (std::uint32_t i = 0; i < space.replayed.size(); ++i)
    if (space.replayed[i].admission == Admission::whole) replay = i;
  return replay;
}

std::vector<RuleCandidate> candidates_of(const RuleSpace& space, const std::vector<RuleScore>& fit,
                                         const std::vector<RuleScore>& scores) {
  std::vector<RuleCandidate> candidates;
  for (std::size_t i = 0; i < std::min(fit.size(), kMaxCandidates); ++i) {
    candidates.push_back(candidate_of(space, fit[i]));
    candidates.back().fits = true;
  }
  for (const RuleScore& score : scores) {
    if (candidates.size() >= kMinCandidates) break;
    const bool is_listed = std::any_of(fit.begin(), fit.end(), [&](const RuleScore& rule_score) {
      return rule_score.choice == score.choice && rule_score.batch == score.batch;
    });
    if (!is_listed) candidates.push_back(candidate_of(space, score));
  }
  return candidates;
}

/// Recoveries that explain the log better than those tried first, if none of these explains all of it. They are added
/// to the space.
std::vector<FoundRecovery> add_found_recoveries(RuleSpace& space, const std::vector<RuleScore>& scores, Jobs jobs) {
  if (space.log.recovery || scores.empty()) return {};
  const RuleScore& best = scores.front();
  if (best.right >= space.replayed[best.replay].masks.judged.chance.decisions) return {};
  std::vector<FoundRecovery> found = search_recoveries(space, jobs);
  for (const FoundRecovery& recovery : found)
    if (std::none_of(space.replayed.begin(), space.replayed.end(),
                     [&](const ReplayedLog& known) { return known.recovery == recovery.recovery; }))
      add_recovery(space, recovery.recovery, jobs);
  return found;
}

/// What the decided space says of the rules.
void conclude_rules(RuleSpace& space, const std::vector<std::int64_t>& gaps, Jobs jobs, Inference& inference) {
  std::vector<RuleScore> scores = score_rules(space, jobs);
  const std::vector<FoundRecovery> found = add_found_recoveries(space, scores, jobs);
  if (!found.empty()) scores = score_rules(space, jobs);
  std::vector<RuleScore> fit = fitting(space, scores);
  const std::size_t foreign = leave_out_foreign(space, fit);
  const DecisionMasks& masks = space.replayed[fit.empty() ? 0 : fit.front().replay].masks;
  inference.judged = masks.judged.chance.decisions;
  inference.open = masks.open.chance.decisions;
  inference.tried = space.size();
  inference.candidates = candidates_of(space, fit, scores);
  inference.verdict = fit.empty() ? Verdict::none : fit.size() == 1 ? Verdict::one : Verdict::several;
  inference.parts = part_verdicts(space, replay_of_parts(space, scores, !found.empty()));
  inference.sentence = sentence_of(inference, fit, foreign);
  add_times(space, fit, gaps, found, inference.times);
}

void add_notes(const PlacementLog& log, std::vector<std::string>& notes) {
  for (const std::string& note : log.notes)
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  note_what_is_not_tried(log, notes);
}

/// The inference from a log. `decide(space)` decides all choices of cores.
template <class Decide>
Inference infer(InferenceTask task, Decide decide, Diagnostics& problems) {
  Inference inference;
  inference.log = task.source.name();
  inference.launches = task.log.launches();
  inference.work_groups = task.log.groups();
  const PreparedLog prepared = prepare_log(task.source, std::move(task.log), task.model, problems);
  inference.device = prepared.device.id;
  if (!problems.empty()) return inference;
  RuleSpace space = make_rule_space(prepared, task.policies);
  decide(space);
  conclude_rules(space, prepared.gaps, task.jobs, inference);
  add_notes(prepared.log, inference.notes);
  return inference;
}

}  // namespace

Inference infer_rules(InferenceTask task, Diagnostics& problems) {
  const Jobs jobs = task.jobs;
  return infer(
      std::move(task), [jobs](RuleSpace& space) { decide_parts(space, jobs, nullptr); }, problems);
}

Inference infer_from_shards(InferenceTask task, std::span<const std::filesystem::path> files,
                            const InferenceIdentity& identity, Diagnostics& problems) {
  const auto decide = [&, jobs = task.jobs](RuleSpace& space) {
    const KnownDecisions known = merge_decisions(files, identity, parts_of(space), space.log.groups());
    decide_parts(space, jobs, &known);
  };
  return infer(std::move(task), decide, problems);
}

std::uint64_t infer_shard(InferenceTask task, const Shard& shard, const std::filesystem::path& file,
                          const InferenceIdentity& identity, Diagnostics& problems) {
  const PreparedLog prepared = prepare_log(task.source, std::move(task.log), task.model, problems);
  if (!problems.empty()) return 0;
  const RuleSpace space = make_rule_space(prepared, task.policies);
  DecisionStore store(file, identity, shard, parts_of(space), space.log.groups());
  std::vector<std::uint64_t> parts;
  for (std::uint64_t part = 0; part < parts_of(space); ++part)
    if (shard_of(part, shard.count) == shard.number && !store.has(part)) parts.push_back(part);
  std::vector<DecisionBits> decided(parts.size());
  parallel_for_in_order(
      parts.size(), task.jobs, [&](std::size_t i) { decided[i] = decide_part(space, parts[i]); },
      [&](std::size_t i) {
        store.add(parts[i], decided[i]);
        decided[i] = DecisionBits();
        return Proceed::yes;
      });
  return parts_of(space);
}

namespace {

/// Returns the square root, rounded up to a whole number.
std::uint64_t root_up(std::uint64_t square) {
  std::uint64_t root = 0;
  while (root * root < square) ++root;
  return root;
}

/// Returns the median of ascending values, and the values at the ranks that contain it in 19 of 20 cases: n / 2 -
/// sqrt(n) and n / 2 + sqrt(n), which are two standard deviations of the number of values below it.
TimeEstimate median_estimate(const std::vector<std::int64_t>& values, LogTime time) {
  const std::size_t count = values.size();
  const auto reach = static_cast<std::size_t>(root_up(count));
  const std::size_t middle = count / 2;
  const std::size_t low = middle > reach ? middle - reach : 0;
  const std::size_t high = std::min(count - 1, middle + reach);
  TimeEstimate estimate;
  estimate.value = log_time_text(values[middle], time);
  estimate.low = log_time_text(values[low], time);
  estimate.high = log_time_text(values[high], time);
  estimate.samples = count;
  return estimate;
}

}  // namespace

std::string log_time_text(std::int64_t units, LogTime time) {
  if (time == LogTime::picoseconds) return to_text(Duration{units});
  const std::string number =
      to_text(Decimal{static_cast<UInt128>(static_cast<std::uint64_t>(std::max<std::int64_t>(units, 0))), -3});
  return number + (number == "1" ? " cycle" : " cycles");
}

std::vector<TimeEstimate> interval_estimates(const TurnTiming& timing, LogTime time, const std::string& dispatchers) {
  std::vector<TimeEstimate> estimates;
  for (const auto& [threads, waits] : timing.waits_by_threads) {
    TimeEstimate estimate = median_estimate(waits, time);
    estimate.name = "interval";
    estimate.how = "dispatchers: " + dispatchers;
    if (timing.waits_by_threads.size() > 1)
      estimate.how += ", behind a work-group of " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    estimate.how += "; the time between placements where a core had room all the while (median)";
    estimates.push_back(std::move(estimate));
  }
  return estimates;
}

TimeEstimate recovery_estimate(const std::vector<std::int64_t>& gaps, LogTime time) {
  constexpr std::int64_t odds = 19;  // 0.95 / 0.05
  TimeEstimate estimate;
  estimate.name = "recovery";
  estimate.value = estimate.high = log_time_text(gaps.front(), time);
  const std::int64_t second = gaps[std::min<std::size_t>(1, gaps.size() - 1)] - gaps.front();
  const std::int64_t below = second > gaps.front() / odds ? gaps.front() : second * odds;
  estimate.low = gaps.size() < 2 ? log_time_text(0, time) : log_time_text(gaps.front() - below, time);
  estimate.samples = gaps.size();
  estimate.how = "no slot was taken again sooner after its work-group had ended";
  return estimate;
}

TimeEstimate searched_recovery_estimate(const FoundRecovery& found, std::uint64_t decisions, LogTime time) {
  TimeEstimate estimate;
  estimate.name = "recovery";
  estimate.value = log_time_text(found.recovery, time);
  estimate.low = log_time_text(found.low, time);
  estimate.high = log_time_text(found.high, time);
  estimate.samples = decisions;
  estimate.how = "between these the rules explain most of the decisions behind the first end";
  return estimate;
}

std::vector<TimeEstimate> launch_cost_estimates(const PlacementLog& log) {
  std::vector<std::int64_t> waits;
  for (const LogSession& session : log.sessions)
    for (const LoggedLaunch& launch : session.launches) {
      if (!launch.launched) continue;
      const auto first = std::min_element(launch.groups.begin(), launch.groups.end(),
                                          [](const auto& a, const auto& b) { return a.start < b.start; });
      if (first->start >= *launch.launched) waits.push_back(first->start - *launch.launched);
    }
  if (waits.empty()) return {};
  std::sort(waits.begin(), waits.end());
  TimeEstimate estimate = median_estimate(waits, log.time);
  estimate.name = "launch_cost";
  estimate.how = "from the launch to its first work-group, launch latency and waiting included (median)";
  return {estimate};
}

}  // namespace gdsim
