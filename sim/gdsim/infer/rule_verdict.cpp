#include <gdsim/infer/infer_rules.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/infer/inference.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

/// The maximum number of fitting combinations that are compared with the best; usually there are only a few.
constexpr std::size_t kMaxCompared = 10'000;

bool is_enough(const ChanceLevel& chance, std::uint64_t right) {
  return right * kMinRightOf >= chance.decisions * kMinRight;
}

/// Returns true if the best explains so many launches that the other does not explain, and the other so few that the
/// best does not explain, that chance is no reason.
bool launches_distinguish(const DecisionBits& best, const DecisionBits& other, const DecisionMasks& masks) {
  const std::vector<bool> by_best = exact_launches(best, masks);
  const std::vector<bool> by_other = exact_launches(other, masks);
  std::uint64_t more = 0;
  std::uint64_t less = 0;
  for (std::size_t i = 0; i < by_best.size(); ++i) {
    more += by_best[i] && !by_other[i] ? 1U : 0U;
    less += by_other[i] && !by_best[i] ? 1U : 0U;
  }
  return are_distinguishable(more, less);
}

/// Returns the position in `kept` of a combination with the same choice of cores that is right in the same decisions
/// and, like this one, exceeds the device or not; or nullopt. `rights` are the right decisions of `kept`.
std::optional<std::size_t> position_of_same(const RuleSpace& space, const std::vector<RuleScore>& kept,
                                            const std::vector<DecisionBits>& rights, const RuleScore& score) {
  const DecisionBits right = space.right_decisions(score);
  const auto exceeds = [&](const RuleScore& combination) { return space.replayed[combination.replay].exceeds_device; };
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i].choice == score.choice && exceeds(kept[i]) == exceeds(score) && rights[i] == right) return i;
  return std::nullopt;
}

RuleKey interval_key(const RuleSpace& space, const ReplayedLog& replayed, const CoreChoice& choice) {
  const CoreGrouping& grouping = space.groupings[choice.grouping];
  const bool takes_time = choice.group_order != GroupOrder::until_full;
  const TurnTiming& timing = replayed.timings[choice.grouping];
  RuleKeys keys;
  if (takes_time && !timing.waits.empty())
    keys.push_back(word_key("per_work_group", log_time_text(timing.waits[timing.waits.size() / 2], space.log.time)));
  // A log without times shows no interval: a cycle stands for the one that is not known.
  if (takes_time && timing.waits.empty() && choice.group_order == GroupOrder::one_each)
    keys.push_back(word_key("per_work_group", "1 cycle"));
  if (choice.group_order != GroupOrder::none) keys.push_back(word_key("dispatchers", grouping.level));
  return mapping_key("interval", std::move(keys));
}

bool has_interval(const ReplayedLog& replayed, const CoreChoice& choice) {
  if (choice.group_order == GroupOrder::one_each || choice.group_order == GroupOrder::until_full) return true;
  const TurnTiming& whole = replayed.timings.front();
  return choice.group_order == GroupOrder::none && whole.may_take_time() && !whole.waits.empty();
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::one: return "one";
    case Verdict::several: return "several";
    case Verdict::none: break;
  }
  return "none";
}

bool explains(const ChanceLevel& chance, std::uint64_t right, std::uint64_t alternatives) {
  return is_enough(chance, right) && bits_against_chance(chance, right) >= bits_of_choice(alternatives) + kMinBits;
}

bool explains(const RuleSpace& space, const RuleScore& score) {
  const DecisionMasks& masks = space.replayed[score.replay].masks;
  return is_enough(masks.first_wave.chance, score.first_wave_right) &&
         is_enough(masks.replacements.chance, score.replacements_right) &&
         explains(masks.open.chance, score.first_wave_right + score.replacements_right, space.size());
}

std::vector<RuleScore> fitting(const RuleSpace& space, const std::vector<RuleScore>& scores) {
  std::vector<RuleScore> kept;
  std::set<std::tuple<std::uint32_t, std::uint32_t, bool>> seen;
  std::vector<DecisionBits> rights;
  std::size_t compared = 0;
  for (const RuleScore& score : scores) {
    if (!explains(space, score)) continue;
    if (compared++ == kMaxCompared) break;
    const bool exceeds = space.replayed[score.replay].exceeds_device;
    if (seen.contains({score.choice, score.batch, exceeds})) continue;
    const DecisionBits right = space.right_decisions(score);
    const DecisionBits& best = kept.empty() ? right : rights.front();
    const bool is_worse = is_distinguishably_better(best.count(), right.count(), count_both(best, right)) ||
                          launches_distinguish(best, right, space.replayed[score.replay].masks);
    if (!kept.empty() && is_worse) continue;
    seen.insert({score.choice, score.batch, exceeds});
    if (const auto same = position_of_same(space, kept, rights, score)) {
      kept[*same].combinations += score.combinations;
      continue;
    }
    kept.push_back(score);
    rights.push_back(right);
  }
  return kept;
}

RuleKeys rule_keys(const RuleSpace& space, const RuleScore& score) {
  const ReplayedLog& replayed = space.replayed[score.replay];
  const CoreChoice& choice = space.choices[score.choice];
  const BatchVariant& batch = replayed.batches[score.batch];
  RuleKeys keys{word_key("placement", std::string(space.policies.placements[choice.placement].name))};
  if (choice.uses_tie_order) keys.push_back(tie_order_key(choice.tie_order));
  const bool is_partial = replayed.admission == Admission::partial;
  if (is_partial || replayed.exceeds_device || space.device.dispatch.admission != Admission::whole)
    keys.push_back(word_key("admission", is_partial ? "partial" : "whole"));
  if (batch.rule) keys.push_back(batch_key(*batch.rule));
  // Overrides a batch rule of the device.
  if (!batch.rule && space.device.dispatch.batch) keys.push_back(batch_key(BatchRule{}));
  if (has_interval(replayed, choice)) keys.push_back(interval_key(space, replayed, choice));
  if (choice.group_order == GroupOrder::contiguous || choice.group_order == GroupOrder::cyclic)
    keys.push_back(mapping_key(
        "partition", {word_key("across", space.groupings[choice.grouping].level),
                      word_key("share", choice.group_order == GroupOrder::cyclic ? "cyclic" : "contiguous")}));
  if (replayed.recovery > 0) keys.push_back(word_key("recovery", log_time_text(replayed.recovery, space.log.time)));
  return keys;
}

namespace {

constexpr std::size_t kMaxLaunchesApart = 8;
constexpr std::size_t kMaxRulesNamed = 12;

/// A choice of cores with one replay, and the number of decisions of a part for which it agrees with the log.
struct PartScore {
  RuleScore score;
  std::uint64_t right = 0;
};

std::vector<PartScore> scores_of(const RuleSpace& space, std::uint32_t replay, const DecisionSet& part) {
  std::vector<PartScore> scores;
  const ReplayedLog& replayed = space.replayed[replay];
  for (std::uint32_t i = 0; i < space.choices.size(); ++i) {
    if (!replayed.is_possible[i]) continue;
    PartScore of_part;
    of_part.score.replay = replay;
    of_part.score.choice = i;
    of_part.right = count_both(replayed.choices[i], part.bits);
    scores.push_back(of_part);
  }
  std::stable_sort(scores.begin(), scores.end(), [&](const PartScore& a, const PartScore& b) {
    if (a.right != b.right) return a.right > b.right;
    return is_of_device(space, a.score) && !is_of_device(space, b.score);
  });
  return scores;
}

std::string sentence_of(const PartVerdict& part) {
  const std::string where = part.part + (part.launches.empty() ? "" : " of " + part.launches);
  if (part.decisions == 0) return fmt::format("{}: no decision is open, every rule would do the same", where);
  const std::string numbers = fmt::format("{} of {} decisions that are open, chance {}", percent_text(part.share),
                                          part.decisions, percent_text(part.chance));
  if (part.verdict == Verdict::none) return fmt::format("{}: none fits; the best is right in {}", where, numbers);
  std::string rules;
  for (std::size_t i = 0; i < std::min(part.rules.size(), kMaxRulesNamed); ++i)
    rules += (i > 0 ? " or " : "") + to_yaml(part.rules[i]);
  return fmt::format("{}: {} ({})", where, rules, numbers);
}

PartVerdict verdict_of(const RuleSpace& space, std::uint32_t replay, const DecisionSet& part) {
  PartVerdict verdict;
  verdict.decisions = part.chance.decisions;
  verdict.chance = part.chance.share();
  const std::vector<PartScore> scores = scores_of(space, replay, part);
  if (scores.empty() || verdict.decisions == 0) return verdict;
  const std::uint64_t best = scores.front().right;
  verdict.share = {best, verdict.decisions};
  if (!explains(part.chance, best, scores.size())) return verdict;
  const DecisionBits& of_best = space.replayed[replay].choices[scores.front().score.choice];
  const bool best_is_of_device = is_of_device(space, scores.front().score);
  for (const auto& [score, right] : scores) {
    if (best_is_of_device && !is_of_device(space, score)) continue;
    if (!explains(part.chance, right, scores.size())) break;
    DecisionBits right_in_part = space.replayed[replay].choices[score.choice];
    for (std::size_t i = 0; i < right_in_part.words(); ++i) right_in_part.word(i) &= part.bits.word(i);
    if (!is_distinguishably_better(best, right, count_both(right_in_part, of_best)))
      verdict.rules.push_back(rule_keys(space, score));
  }
  verdict.verdict = verdict.rules.size() == 1 ? Verdict::one : Verdict::several;
  return verdict;
}

PartVerdict named(PartVerdict verdict, std::string part, std::string launches) {
  verdict.part = std::move(part);
  verdict.launches = std::move(launches);
  verdict.sentence = sentence_of(verdict);
  return verdict;
}

}  // namespace

std::vector<PartVerdict> part_verdicts(const RuleSpace& space, std::uint32_t replay) {
  std::vector<PartVerdict> parts;
  const ReplayedLog& replayed = space.replayed[replay];
  const DecisionMasks& masks = replayed.masks;
  if (space.log.time == LogTime::none) return parts;
  const auto add = [&](const DecisionSet& first_wave, const DecisionSet& replacements, const std::string& launches) {
    parts.push_back(named(verdict_of(space, replay, first_wave), "first wave", launches));
    parts.push_back(named(verdict_of(space, replay, replacements), "replacements", launches));
  };
  if (masks.launches.size() == 1 || masks.launches.size() > kMaxLaunchesApart) {
    add(masks.first_wave, masks.replacements, "");
    return parts;
  }
  for (const LaunchDecisions& launch : masks.launches)
    add(decisions_of_launch(masks.first_wave, launch, replayed.replays),
        decisions_of_launch(masks.replacements, launch, replayed.replays), printable(launch.name));
  return parts;
}

namespace {

const LoggedGroup& group_of(const PlacementLog& log, std::uint32_t bit) {
  std::uint32_t left = bit;
  for (const LogSession& session : log.sessions)
    for (const LoggedLaunch& launch : session.launches) {
      if (left < launch.groups.size()) return launch.groups[left];
      left -= static_cast<std::uint32_t>(launch.groups.size());
    }
  GDSIM_CHECK(false, "a bit of a log's decisions belongs to none of its work-groups");
}

const std::string& launch_of(const DecisionMasks& masks, std::uint32_t bit) {
  return std::find_if(masks.launches.begin(), masks.launches.end(),
                      [&](const LaunchDecisions& launch) { return launch.first <= bit && bit < launch.last; })
      ->name;
}

}  // namespace

std::optional<WrongDecision> first_wrong_decision(const RuleSpace& space, const RuleScore& score) {
  const ReplayedLog& replayed = space.replayed[score.replay];
  const CoreChoice& choice = space.choices[score.choice];
  const auto& rule = replayed.batches[score.batch].rule;
  const DecisionBits right = space.right_decisions(score);
  for (const Replay& replay : replayed.replays)
    for (std::size_t i = 0; i < replay.steps.size(); ++i) {
      const ReplayStep& step = replay.steps[i];
      if (!replayed.masks.judged.bits.test(step.bit) || right.test(step.bit)) continue;
      WrongDecision wrong;
      const LoggedGroup& group = group_of(space.log, step.bit);
      wrong.launch = launch_of(replayed.masks, step.bit);
      wrong.work_group = group.number;
      wrong.line = group.row;
      wrong.seen = step.core;
      wrong.has_room = step.fits;
      const bool is_batched =
          rule && batch_decisions(replayed.replays, *rule, space.device.cores, space.log.groups()).test(step.bit);
      if (is_batched) {
        wrong.expected = replay.steps[i - 1].core;
      } else if (const auto core = chosen_core(replay, choice, space.groupings[choice.grouping], space.device,
                                               space.policies, step.bit)) {
        wrong.expected = static_cast<std::uint32_t>(index_of(*core));
      }
      return wrong;
    }
  return std::nullopt;
}

std::vector<std::string> inexact_launches(const RuleSpace& space, const RuleScore& score) {
  const DecisionMasks& masks = space.replayed[score.replay].masks;
  const std::vector<bool> exact = exact_launches(space.right_decisions(score), masks);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < exact.size(); ++i)
    if (!exact[i] && masks.launches[i].judged > 0) names.push_back(masks.launches[i].name);
  return names;
}

}  // namespace gdsim
