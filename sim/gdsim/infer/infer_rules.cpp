#include <gdsim/infer/infer_rules.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/infer/inference.hpp>
#include <gdsim/infer/rule_space.hpp>
#include <gdsim/infer/time_estimates.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

constexpr std::size_t kMinCandidates = 20;  ///< the best ones, whether they fit or not
constexpr std::size_t kMaxCandidates = 200;

RuleCandidate candidate_of(const RuleSpace& space, const RuleScore& score) {
  const ReplayedLog& replayed = space.replayed[score.recovery];
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
  candidate.like = score.alike;
  candidate.first_wrong = first_wrong_decision(space, score);
  candidate.inexact = inexact_launches(space, score);
  return candidate;
}

bool is_of_device(const RuleSpace& space, const RuleScore& score) {
  return space.groupings[space.choices[score.choice].grouping].is_of_device;
}

/// Removes rules with groups other than the device's own, if other rules fit. Returns the number of removed ones.
std::size_t leave_out_foreign(const RuleSpace& space, std::vector<RuleScore>& fit) {
  if (std::none_of(fit.begin(), fit.end(), [&](const RuleScore& one) { return is_of_device(space, one); })) return 0;
  return std::erase_if(fit, [&](const RuleScore& one) { return !is_of_device(space, one); });
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
  const ReplayedLog& replayed = space.replayed[fit.empty() ? space.replayed.size() - 1 : fit.front().recovery];
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
  const auto searched = std::find_if(found.begin(), found.end(), [&](const FoundRecovery& one) {
    return !fit.empty() && one.recovery == replayed.recovery && one.recovery > 0;
  });
  if (searched != found.end())
    times.push_back(
        searched_recovery_estimate(*searched, replayed.masks.replacements.chance.decisions, space.log.time));
  else if (!gaps.empty())
    times.push_back(recovery_estimate(gaps, space.log.time));
  for (TimeEstimate& one : launch_cost_estimates(space.log)) times.push_back(std::move(one));
}

/// Returns the recovery for evaluating parts: that of the best rules if it was searched for, else the longest one of
/// whole work-groups.
std::uint32_t recovery_of_parts(const RuleSpace& space, const std::vector<RuleScore>& scores, bool was_searched) {
  if (was_searched) return scores.front().recovery;
  std::uint32_t recovery = 0;
  for (std::uint32_t i = 0; i < space.replayed.size(); ++i)
    if (space.replayed[i].admission == Admission::whole) recovery = i;
  return recovery;
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
    const bool is_listed = std::any_of(fit.begin(), fit.end(), [&](const RuleScore& one) {
      return one.choice == score.choice && one.batch == score.batch;
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
  if (best.right >= space.replayed[best.recovery].masks.judged.chance.decisions) return {};
  std::vector<FoundRecovery> found = search_recoveries(space, jobs);
  for (const FoundRecovery& one : found)
    if (std::none_of(space.replayed.begin(), space.replayed.end(),
                     [&](const ReplayedLog& known) { return known.recovery == one.recovery; }))
      add_recovery(space, one.recovery, jobs);
  return found;
}

/// What the decided space says of the rules.
void conclude_rules(RuleSpace& space, const std::vector<std::int64_t>& gaps, Jobs jobs, Inference& inference) {
  std::vector<RuleScore> scores = score_rules(space, jobs);
  const std::vector<FoundRecovery> found = add_found_recoveries(space, scores, jobs);
  if (!found.empty()) scores = score_rules(space, jobs);
  std::vector<RuleScore> fit = fitting(space, scores);
  const std::size_t foreign = leave_out_foreign(space, fit);
  const DecisionMasks& masks = space.replayed[fit.empty() ? 0 : fit.front().recovery].masks;
  inference.judged = masks.judged.chance.decisions;
  inference.open = masks.open.chance.decisions;
  inference.tried = space.size();
  inference.candidates = candidates_of(space, fit, scores);
  inference.verdict = fit.empty() ? Verdict::none : fit.size() == 1 ? Verdict::one : Verdict::several;
  inference.parts = part_verdicts(space, recovery_of_parts(space, scores, !found.empty()));
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
      std::move(task), [jobs](RuleSpace& space) { decide_choices(space, jobs, nullptr); }, problems);
}

Inference infer_from_shards(InferenceTask task, std::span<const std::filesystem::path> files,
                            const InferenceIdentity& identity, Diagnostics& problems) {
  const auto decide = [&, jobs = task.jobs](RuleSpace& space) {
    const KnownDecisions known = merge_decisions(files, identity, parts_of(space), space.log.groups());
    decide_choices(space, jobs, &known);
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

}  // namespace gdsim
