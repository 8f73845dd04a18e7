#include <gdsim/infer/rule_space.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace gdsim {
namespace {

bool is_consistent(const TurnTiming& timing) {
  return timing.placements == 0 || timing.may_take_time() || timing.may_be_instant();
}

/// Returns the largest span that divides all times of a session, relative to its first row: a step of its clock, if
/// that is a coarse one.
std::int64_t clock_step(const LogSession& session) {
  std::int64_t step = 0;
  const std::int64_t origin = session.launches.front().groups.front().start;
  for (const LoggedLaunch& launch : session.launches)
    for (const LoggedGroup& group : launch.groups)
      step = std::gcd(step, std::gcd(group.start - origin, group.end - origin));
  return step;
}

/// Returns `coarse` if the clock may merge separate times: if one dispatcher seems to place several work-groups at an
/// instant and then to wait no longer than two clock steps. Ticks are cycles of the device, and not too coarse.
LogClock clock_of(const PlacementLog& log, const TurnTiming& timing) {
  if (log.time != LogTime::picoseconds || is_consistent(timing) || timing.waits.empty()) return LogClock::fine;
  std::int64_t step = 0;
  for (const LogSession& session : log.sessions) step = std::gcd(step, clock_step(session));
  return timing.waits[timing.waits.size() / 2] <= 2 * step ? LogClock::coarse : LogClock::fine;
}

/// Returns true if one dispatcher for the whole device may have made the log. One that places several work-groups at an
/// instant of a fine clock and then waits is accepted only if no smaller dispatchers explain the log.
bool may_be_one(const ReplayedLog& replayed, LogClock clock) {
  return clock == LogClock::coarse || is_consistent(replayed.timings.front()) ||
         std::none_of(replayed.timings.begin(), replayed.timings.end(), is_consistent);
}

/// Returns true if the times of the log allow this choice.
bool allows(const ReplayedLog& replayed, const CoreChoice& choice, bool one_dispatcher) {
  const TurnTiming& timing = replayed.timings[choice.grouping];
  if (choice.group_order == GroupOrder::one_each) return timing.placements == 0 || timing.may_take_time();
  if (choice.group_order == GroupOrder::until_full) return timing.placements == 0 || timing.may_be_instant();
  return one_dispatcher;
}

ReplayedLog replay_log(const RuleSpace& space, Admission admission, std::int64_t recovery) {
  ReplayedLog replayed;
  replayed.admission = admission;
  const auto exceeds = [&](const LogSession& session) {
    return holds_more_than_fit(session, space.log.time, space.device);
  };
  replayed.exceeds_device = admission == Admission::whole && space.log.time != LogTime::none &&
                            std::any_of(space.log.sessions.begin(), space.log.sessions.end(), exceeds);
  replayed.recovery = recovery;
  const ReplaySetting setting{space.policies, space.log.time, recovery, admission, space.log.noise};
  const auto& footprints = admission == Admission::whole ? space.footprints : space.partial_footprints;
  std::uint32_t bit = 0;
  for (std::size_t i = 0; i < space.log.sessions.size(); ++i) {
    replayed.replays.push_back(replay(space.log.sessions[i], footprints[i], setting, bit));
    for (const LoggedLaunch& launch : space.log.sessions[i].launches)
      bit += static_cast<std::uint32_t>(launch.groups.size());
  }
  const bool has_times = space.log.time != LogTime::none;
  for (const CoreGrouping& grouping : space.groupings)
    replayed.timings.push_back(has_times ? turn_timing(replayed.replays, grouping, space.device.cores) : TurnTiming{});
  const LogClock clock = clock_of(space.log, replayed.timings.front());
  replayed.masks = decision_masks(space.log, replayed.replays, clock);
  const bool one_dispatcher = may_be_one(replayed, clock);
  for (const CoreChoice& choice : space.choices)
    replayed.is_possible.push_back(allows(replayed, choice, one_dispatcher));
  replayed.batches = batch_variants(replayed.replays, space.device.cores);
  return replayed;
}

DecisionBits decide_choice(const RuleSpace& space, const ReplayedLog& replayed, std::size_t number) {
  DecisionBits right(space.log.groups());
  if (!replayed.is_possible[number]) return right;
  const CoreChoice& choice = space.choices[number];
  for (const Replay& replay : replayed.replays)
    decide(replay, choice, space.groupings[choice.grouping], space.device, space.policies, right);
  return right;
}

/// Returns true if work-groups can be placed in part: known to have several threads, with contexts counted one by one.
bool has_parts(const RuleSpace& space) {
  return space.device.context_allocation == ContextAllocation::counted &&
         std::any_of(
             space.partial_footprints.begin(), space.partial_footprints.end(), [](const LogFootprints& session) {
               return session.is_described && std::any_of(session.of_launch.begin(), session.of_launch.end(),
                                                          [](const Footprint& group) { return group.threads > 1; });
             });
}

/// Replaces the choice by the batches in the decisions that these make.
DecisionBits with_batches(const DecisionBits& choice, const DecisionBits& batched, const DecisionBits& repeats) {
  DecisionBits right = choice;
  for (std::size_t i = 0; i < right.words(); ++i)
    right.word(i) = (batched.word(i) & repeats.word(i)) | (~batched.word(i) & choice.word(i));
  return right;
}

RuleScore score_of(const DecisionBits& right, const DecisionMasks& masks) {
  RuleScore score;
  const std::vector<bool> exact = exact_launches(right, masks);
  score.launches_exact = static_cast<std::uint64_t>(std::count(exact.begin(), exact.end(), true));
  score.right = count_both(right, masks.judged.bits);
  score.first_wave_right = count_both(right, masks.first_wave.bits);
  score.replacements_right = count_both(right, masks.replacements.bits);
  return score;
}

/// Returns true if the choice has one dispatcher of the whole device: only that takes batches.
bool takes_batches(const CoreChoice& choice) { return choice.group_order == GroupOrder::none; }

/// Returns the scores of every choice with one batch variant.
std::vector<RuleScore> scores_of(const RuleSpace& space, std::uint32_t replay, std::uint32_t batch) {
  const ReplayedLog& replayed = space.replayed[replay];
  const BatchVariant& variant = replayed.batches[batch];
  DecisionBits batches(space.log.groups());
  if (variant.rule) batches = batch_decisions(replayed.replays, *variant.rule, space.device.cores, space.log.groups());
  std::vector<RuleScore> scores;
  for (std::uint32_t i = 0; i < space.choices.size(); ++i) {
    if (!replayed.is_possible[i] || (variant.rule && !takes_batches(space.choices[i]))) continue;
    RuleScore score = score_of(with_batches(replayed.choices[i], batches, replayed.masks.repeats), replayed.masks);
    score.replay = replay;
    score.choice = i;
    score.batch = batch;
    score.combinations = takes_batches(space.choices[i]) ? variant.rules : 1;
    scores.push_back(score);
  }
  return scores;
}

}  // namespace

std::vector<bool> exact_launches(const DecisionBits& right, const DecisionMasks& masks) {
  std::vector<bool> exact;
  for (const LaunchDecisions& launch : masks.launches) {
    bool all = launch.judged > 0;
    for (std::uint32_t bit = launch.first; all && bit < launch.last;) {
      if (bit % 64 == 0 && bit + 64 <= launch.last) {
        all = (masks.judged.bits.word(bit / 64) & ~right.word(bit / 64)) == 0;
        bit += 64;
        continue;
      }
      all = right.test(bit) || !masks.judged.bits.test(bit);
      ++bit;
    }
    exact.push_back(all);
  }
  return exact;
}

std::uint64_t RuleSpace::size() const {
  const auto takers = static_cast<std::uint64_t>(std::count_if(choices.begin(), choices.end(), takes_batches));
  std::uint64_t count = 0;
  for (const ReplayedLog& replay : replayed)
    for (const BatchVariant& batch : replay.batches)
      count += takers * batch.rules + (batch.rule ? 0 : choices.size() - takers);
  return count;
}

DecisionBits RuleSpace::right_decisions(const RuleScore& score) const {
  const ReplayedLog& replay = replayed[score.replay];
  const auto& rule = replay.batches[score.batch].rule;
  if (!rule) return replay.choices[score.choice];
  return with_batches(replay.choices[score.choice], batch_decisions(replay.replays, *rule, device.cores, log.groups()),
                      replay.masks.repeats);
}

bool is_of_device(const RuleSpace& space, const RuleScore& score) {
  return space.groupings[space.choices[score.choice].grouping].is_of_device;
}

RuleSpace make_rule_space(const PreparedLog& prepared, const PlacementCatalog& policies) {
  const DeviceSpec& device = prepared.device;
  RuleSpace space{
      prepared.log, prepared.footprints, prepared.partial_footprints, device, policies, core_groupings(device), {}, {}};
  space.choices = core_choices(policies, device, space.groupings);
  for (const Admission admission : {Admission::whole, Admission::partial})
    for (const std::int64_t recovery : prepared.recoveries)
      if (admission == Admission::whole || has_parts(space))
        space.replayed.push_back(replay_log(space, admission, recovery));
  return space;
}

std::uint64_t parts_of(const RuleSpace& space) { return space.replayed.size() * space.choices.size(); }

DecisionBits decide_part(const RuleSpace& space, std::uint64_t part) {
  return decide_choice(space, space.replayed[part / space.choices.size()], part % space.choices.size());
}

void decide_parts(RuleSpace& space, Jobs jobs, const KnownDecisions* known) {
  for (ReplayedLog& replayed : space.replayed) replayed.choices.resize(space.choices.size());
  const auto bits_of = [&](std::size_t part) -> DecisionBits& {
    return space.replayed[part / space.choices.size()].choices[part % space.choices.size()];
  };
  parallel_for_in_order(
      parts_of(space), jobs,
      [&](std::size_t part) { bits_of(part) = known != nullptr ? known->at(part) : decide_part(space, part); },
      [](std::size_t) { return Proceed::yes; });
}

void add_recovery(RuleSpace& space, std::int64_t recovery, Jobs jobs) {
  space.replayed.push_back(replay_log(space, Admission::whole, recovery));
  ReplayedLog& replayed = space.replayed.back();
  replayed.choices.resize(space.choices.size());
  parallel_for_in_order(
      space.choices.size(), jobs, [&](std::size_t i) { replayed.choices[i] = decide_choice(space, replayed, i); },
      [](std::size_t) { return Proceed::yes; });
}

std::vector<RuleScore> score_rules(const RuleSpace& space, Jobs jobs) {
  std::vector<RuleScore> scores;
  for (std::uint32_t replay = 0; replay < space.replayed.size(); ++replay) {
    const std::size_t variants = space.replayed[replay].batches.size();
    std::vector<std::vector<RuleScore>> of_variant(variants);
    parallel_for_in_order(
        variants, jobs, [&](std::size_t i) { of_variant[i] = scores_of(space, replay, static_cast<std::uint32_t>(i)); },
        [&](std::size_t i) {
          scores.insert(scores.end(), of_variant[i].begin(), of_variant[i].end());
          of_variant[i] = {};
          return Proceed::yes;
        });
  }
  const auto rank = [&](const RuleScore& score) {
    const CoreChoice& choice = space.choices[score.choice];
    return std::tuple(~score.launches_exact, ~score.right, space.replayed[score.replay].exceeds_device,
                      !is_of_device(space, score), choice.group_order != GroupOrder::none, score.batch > 0,
                      score.replay, score.batch, score.choice);
  };
  std::sort(scores.begin(), scores.end(), [&](const RuleScore& a, const RuleScore& b) { return rank(a) < rank(b); });
  return scores;
}

namespace {

constexpr std::array<std::uint32_t, 4> kSizes{2, 3, 4, 8};
constexpr std::uint64_t kMaxPerCore = 4;
constexpr std::uint64_t kMaxPlus = 8;

struct Threshold {
  PerCoreCount simplest;
  std::uint64_t count = 0;  ///< number of thresholds with the same effect
};

/// One threshold for each interval between two values: the simplest, which has the smallest `plus`.
std::vector<Threshold> thresholds(const std::set<std::uint64_t>& values, std::uint64_t cores) {
  std::map<std::uint64_t, Threshold> by_effect;  // by the lowest value that reaches it, or the maximum if none does
  for (std::uint64_t plus = 0; plus <= kMaxPlus; ++plus)
    for (std::uint64_t per_core = 0; per_core <= kMaxPerCore; ++per_core) {
      const PerCoreCount bound{per_core, plus};
      const auto reached = values.lower_bound(bound.count_on(cores));
      const std::uint64_t effect = reached == values.end() ? UINT64_MAX : *reached;
      Threshold& threshold = by_effect[effect];
      if (threshold.count++ == 0) threshold.simplest = bound;
    }
  std::vector<Threshold> reachable;
  for (const auto& [effect, threshold] : by_effect)
    if (effect != UINT64_MAX) reachable.push_back(threshold);
  return reachable;
}

}  // namespace

std::vector<BatchVariant> batch_variants(const std::vector<Replay>& replays, std::uint64_t cores) {
  std::set<std::uint64_t> grids;
  std::set<std::uint64_t> lefts;
  const std::uint64_t highest = kMaxPerCore * cores + kMaxPlus;
  for (const Replay& replay : replays)
    for (const ReplayStep& step : replay.steps) {
      grids.insert(step.grid);
      const std::uint64_t left = step.grid - std::min(step.grid, step.dispatched);
      lefts.insert(std::min(left, highest));
    }
  std::vector<BatchVariant> variants{{std::nullopt, 1}};
  const std::uint64_t all = (kMaxPerCore + 1) * (kMaxPlus + 1);
  std::uint64_t in_force = 0;
  for (const std::uint32_t size : kSizes)
    for (const Threshold& grid : thresholds(grids, cores))
      for (const Threshold& left : thresholds(lefts, cores)) {
        variants.push_back({BatchRule{size, grid.simplest, left.simplest}, grid.count * left.count});
        in_force += grid.count * left.count;
      }
  variants.front().rules += kSizes.size() * all * all - in_force;  // thresholds that no launch reaches
  return variants;
}

DecisionBits batch_decisions(const std::vector<Replay>& replays, const BatchRule& rule, std::uint64_t cores,
                             std::size_t decisions) {
  DecisionBits bits(decisions);
  for (const Replay& replay : replays) {
    std::uint32_t more = 0;  // work-groups left in the batch
    for (const ReplayStep& step : replay.steps) {
      const bool is_batched = more > 0 && step.continues_launch && step.previous_fits;
      if (is_batched) bits.set(step.bit);
      if (is_batched && step.repeats_core) {
        --more;
        continue;
      }
      const std::uint64_t left = step.grid - std::min(step.grid, step.dispatched);
      const bool begins = step.grid >= rule.grid_at_least.count_on(cores) && left >= rule.left_at_least.count_on(cores);
      more = begins ? rule.work_groups - 1 : 0;
    }
  }
  return bits;
}

}  // namespace gdsim
