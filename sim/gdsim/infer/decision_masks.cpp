#include <gdsim/infer/decision_masks.hpp>

namespace gdsim {
namespace {

void add(DecisionSet& set, const ReplayStep& step) {
  set.bits.set(step.bit);
  set.chance.add(step.candidates, step.fits);
}

}  // namespace

DecisionMasks decision_masks(const PlacementLog& log, const std::vector<Replay>& replays, LogClock clock) {
  const DecisionSet none{DecisionBits(log.groups()), {}};
  DecisionMasks masks{none, none, none, none, none.bits, {}};
  std::uint32_t bit = 0;
  for (const LogSession& session : log.sessions)
    for (const LoggedLaunch& launch : session.launches) {
      const auto count = static_cast<std::uint32_t>(launch.groups.size());
      const bool is_named = session.name.find(launch.name) != std::string::npos || log.sessions.size() == 1;
      const std::string& name = log.sessions.size() == 1 ? launch.name : session.name;
      masks.launches.push_back({is_named ? name : session.name + " " + launch.name, bit, bit + count, 0});
      bit += count;
    }
  std::size_t first_launch = 0;
  for (std::size_t i = 0; i < replays.size(); ++i) {
    for (const ReplayStep& step : replays[i].steps) {
      add(masks.judged, step);
      ++masks.launches[first_launch + step.launch].judged;
      if (step.continues_launch && step.repeats_core) masks.repeats.set(step.bit);
      if (step.candidates < 2 && step.fits) continue;
      if (step.is_uncertain || (clock == LogClock::coarse && step.is_released_now)) continue;
      add(masks.open, step);
      add(step.is_first_wave ? masks.first_wave : masks.replacements, step);
    }
    first_launch += log.sessions[i].launches.size();
  }
  return masks;
}

DecisionSet of_launch(const DecisionSet& set, const LaunchDecisions& launch, const std::vector<Replay>& replays) {
  DecisionSet part{DecisionBits(set.bits.words() * 64), {}};
  for (const Replay& replay : replays)
    for (const ReplayStep& step : replay.steps)
      if (launch.first <= step.bit && step.bit < launch.last && set.bits.test(step.bit)) add(part, step);
  return part;
}

}  // namespace gdsim
