#include <gdsim/infer/decision_masks.hpp>

#include <bit>
#include <cmath>

namespace gdsim {

std::uint64_t bits_against_chance(const ChanceLevel& chance, std::uint64_t right) {
  if (chance.decisions == 0) return 0;
  const auto n = static_cast<double>(chance.decisions);
  const double found = static_cast<double>(right) / n;
  const double expected = static_cast<double>(chance.expected) / static_cast<double>(kCertain) / n;
  if (found <= expected || expected >= 1) return 0;
  if (expected <= 0) return right > 0 ? chance.decisions : 0;
  const double hit = found > 0 ? found * std::log2(found / expected) : 0;
  const double miss = found < 1 ? (1 - found) * std::log2((1 - found) / (1 - expected)) : 0;
  const double bits = n * (hit + miss);
  return bits > 0 ? static_cast<std::uint64_t>(bits) : 0;
}

std::uint64_t bits_of_choice(std::uint64_t alternatives) {
  return alternatives < 2 ? 0 : static_cast<std::uint64_t>(std::bit_width(alternatives - 1));
}

bool are_distinguishable(std::uint64_t more, std::uint64_t less) {
  const std::uint64_t all = more + less;
  // The tail of a fair coin, exactly: sum of C(n, k) for k from `more` on, against 2^n / 20.
  constexpr std::uint64_t max_exact = 100;
  if (all > max_exact) {
    // For larger n, by Chebyshev's bound: more - less lies within sqrt(20 n) of 0 in at least 19 of 20 cases.
    const UInt128 difference = more > less ? more - less : 0;
    return difference * difference > UInt128{20} * all;
  }
  UInt128 tail = 0;
  UInt128 coefficient = 1;  // C(n, n)
  for (std::uint64_t k = all;; --k) {
    if (k < more) break;
    tail += coefficient;
    if (k == 0) break;
    coefficient = coefficient * k / (all - k + 1);
  }
  return tail * 20 <= (UInt128{1} << all);
}

bool is_distinguishably_better(std::uint64_t better, std::uint64_t other, std::uint64_t both) {
  const std::uint64_t more = better - both;
  const std::uint64_t less = other - both;
  return (less == 0 && more > 0) || are_distinguishable(more, less);
}

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
