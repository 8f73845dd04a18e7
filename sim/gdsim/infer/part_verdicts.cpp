#include <gdsim/infer/rule_verdict.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/infer/share_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

constexpr std::size_t kMaxLaunchesApart = 8;
constexpr std::size_t kMaxRulesNamed = 12;

/// A choice of cores with one recovery, and the number of decisions of a part for which it agrees with the log.
struct PartScore {
  RuleScore score;
  std::uint64_t right = 0;
};

std::vector<PartScore> scores_of(const RuleSpace& space, std::uint32_t recovery, const DecisionSet& part) {
  std::vector<PartScore> scores;
  const ReplayedLog& replayed = space.replayed[recovery];
  for (std::uint32_t i = 0; i < space.choices.size(); ++i) {
    if (!replayed.is_possible[i]) continue;
    PartScore one;
    one.score.recovery = recovery;
    one.score.choice = i;
    one.right = count_both(replayed.choices[i], part.bits);
    scores.push_back(one);
  }
  const auto is_foreign = [&](const PartScore& one) {
    return !space.groupings[space.choices[one.score.choice].grouping].is_of_device;
  };
  std::stable_sort(scores.begin(), scores.end(), [&](const PartScore& a, const PartScore& b) {
    if (a.right != b.right) return a.right > b.right;
    return !is_foreign(a) && is_foreign(b);
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

PartVerdict verdict_of(const RuleSpace& space, std::uint32_t recovery, const DecisionSet& part) {
  PartVerdict verdict;
  verdict.decisions = part.chance.decisions;
  verdict.chance = part.chance.share();
  const std::vector<PartScore> scores = scores_of(space, recovery, part);
  if (scores.empty() || verdict.decisions == 0) return verdict;
  const std::uint64_t best = scores.front().right;
  verdict.share = {best, verdict.decisions};
  if (!explains(part.chance, best, scores.size())) return verdict;
  const DecisionBits& of_best = space.replayed[recovery].choices[scores.front().score.choice];
  const bool best_is_of_device = space.groupings[space.choices[scores.front().score.choice].grouping].is_of_device;
  for (const PartScore& one : scores) {
    if (best_is_of_device && !space.groupings[space.choices[one.score.choice].grouping].is_of_device) continue;
    if (!explains(part.chance, one.right, scores.size())) break;
    DecisionBits common = space.replayed[recovery].choices[one.score.choice];
    for (std::size_t i = 0; i < common.words(); ++i) common.word(i) &= part.bits.word(i);
    if (!is_distinguishably_better(best, one.right, count_both(common, of_best)))
      verdict.rules.push_back(rule_keys(space, one.score));
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

std::vector<PartVerdict> part_verdicts(const RuleSpace& space, std::uint32_t recovery) {
  std::vector<PartVerdict> parts;
  const ReplayedLog& replayed = space.replayed[recovery];
  const DecisionMasks& masks = replayed.masks;
  if (space.log.time == LogTime::none) return parts;
  const auto add = [&](const DecisionSet& first_wave, const DecisionSet& replacements, const std::string& launches) {
    parts.push_back(named(verdict_of(space, recovery, first_wave), "first wave", launches));
    parts.push_back(named(verdict_of(space, recovery, replacements), "replacements", launches));
  };
  if (masks.launches.size() == 1 || masks.launches.size() > kMaxLaunchesApart) {
    add(masks.first_wave, masks.replacements, "");
    return parts;
  }
  for (const LaunchDecisions& launch : masks.launches)
    add(of_launch(masks.first_wave, launch, replayed.replays), of_launch(masks.replacements, launch, replayed.replays),
        printable(launch.name));
  return parts;
}

}  // namespace gdsim
