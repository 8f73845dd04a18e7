#include <gdsim/infer/wrong_decision.hpp>

#include <algorithm>
#include <cstddef>

namespace gdsim {
namespace {

const LoggedGroup& group_of(const PlacementLog& log, std::uint32_t bit) {
  std::uint32_t left = bit;
  for (const LogSession& session : log.sessions)
    for (const LoggedLaunch& launch : session.launches) {
      if (left < launch.groups.size()) return launch.groups[left];
      left -= static_cast<std::uint32_t>(launch.groups.size());
    }
  return log.sessions.back().launches.back().groups.back();  // not reached: every bit belongs to a work-group
}

const std::string& launch_of(const DecisionMasks& masks, std::uint32_t bit) {
  return std::find_if(masks.launches.begin(), masks.launches.end(),
                      [&](const LaunchDecisions& one) { return one.first <= bit && bit < one.last; })
      ->name;
}

}  // namespace

std::optional<WrongDecision> first_wrong_decision(const RuleSpace& space, const RuleScore& score) {
  const ReplayedLog& replayed = space.replayed[score.recovery];
  const CoreChoice& choice = space.choices[score.choice];
  const auto& rule = replayed.batches[score.batch].rule;
  const DecisionBits right = space.right(score);
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
          rule && batched(replayed.replays, *rule, space.device.cores, space.log.groups()).test(step.bit);
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
  const DecisionMasks& masks = space.replayed[score.recovery].masks;
  const std::vector<bool> exact = exact_launches(space.right(score), masks);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < exact.size(); ++i)
    if (!exact[i] && masks.launches[i].judged > 0) names.push_back(masks.launches[i].name);
  return names;
}

}  // namespace gdsim
