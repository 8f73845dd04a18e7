#include <gdsim/infer/infer_rules.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace gdsim {
namespace {

/// The maximum number of work-groups searched: those that began first, of all sessions together.
constexpr std::size_t kMaxGroups = 4'000;
constexpr std::size_t kMaxChoices = 12;
constexpr std::size_t kMaxFound = 3;
/// Recoveries up to this multiple of half the mean time between placements are tried one by one, others by factors.
constexpr std::int64_t kEvenSteps = 128;
constexpr std::int64_t kRefinements = 4;
constexpr std::int64_t kPartsOfStep = 8;

/// Returns the sessions of a log, cut off after the maximum number of work-groups.
std::vector<LogSession> first_groups(const PlacementLog& log) {
  std::vector<LogSession> sessions;
  std::size_t left = kMaxGroups;
  for (const LogSession& session : log.sessions) {
    std::vector<std::int64_t> starts;
    for (const LoggedLaunch& launch : session.launches)
      for (const LoggedGroup& group : launch.groups) starts.push_back(group.start);
    std::sort(starts.begin(), starts.end());
    const std::int64_t last = starts.size() > left ? starts[left] : std::numeric_limits<std::int64_t>::max();
    LogSession& kept = sessions.emplace_back(session);
    for (LoggedLaunch& launch : kept.launches)
      std::erase_if(launch.groups, [&](const LoggedGroup& group) { return group.start >= last; });
    left -= std::min(left, starts.size());
    if (left == 0) break;
  }
  return sessions;
}

/// Returns the mean time between placements after the first end of a work-group.
std::int64_t mean_step(const std::vector<LogSession>& sessions) {
  Int128 time = 0;
  std::int64_t count = 0;
  for (const LogSession& session : sessions) {
    std::int64_t first_end = std::numeric_limits<std::int64_t>::max();
    for (const LoggedLaunch& launch : session.launches)
      for (const LoggedGroup& group : launch.groups) first_end = std::min(first_end, group.end);
    std::int64_t last = first_end;
    for (const LoggedLaunch& launch : session.launches)
      for (const LoggedGroup& group : launch.groups) {
        last = std::max(last, group.start);
        if (group.start > first_end) ++count;
      }
    time += last - first_end;
  }
  return count == 0 ? 0 : static_cast<std::int64_t>(time / count);
}

std::int64_t longest_group(const std::vector<LogSession>& sessions) {
  std::int64_t longest = 0;
  for (const LogSession& session : sessions)
    for (const LoggedLaunch& launch : session.launches)
      for (const LoggedGroup& group : launch.groups) longest = std::max(longest, group.end - group.start);
  return longest;
}

/// Returns the number with the fewest digits from `low` to `high`.
std::int64_t shortest_between(std::int64_t low, std::int64_t high) {
  for (std::int64_t unit = 1'000'000'000'000'000; unit > 1; unit /= 10) {
    const std::int64_t multiple = (low + unit - 1) / unit * unit;
    if (multiple <= high && multiple > 0) return multiple;
  }
  return low;
}

class RecoverySearch {
 public:
  RecoverySearch(const RuleSpace& space, Jobs jobs) : space_(space), jobs_(jobs), sessions_(first_groups(space.log)) {}

  std::vector<FoundRecovery> run() {
    const std::int64_t step = std::max<std::int64_t>(mean_step(sessions_) / 2, 1);
    find_choices();
    if (choices_.empty() || mean_step(sessions_) == 0) return {};
    std::vector<std::int64_t> grid;
    const std::int64_t longest = longest_group(sessions_);
    for (std::int64_t i = 0; i <= kEvenSteps && i * step <= longest; ++i) grid.push_back(i * step);
    for (std::int64_t at = grid.back() + grid.back() / 8; at > grid.back() && at <= longest; at += at / 8)
      grid.push_back(at);
    // The shortest time in which slots were reused, and values just below.
    for (const ReplayedLog& replayed : space_.replayed) grid.push_back(replayed.recovery);
    const std::vector<std::vector<std::uint64_t>> scores = scores_at(sessions_, grid, choices_);
    std::vector<FoundRecovery> found;
    for (const std::size_t choice : best_choices(scores)) {
      if (found.size() == kMaxFound) break;
      FoundRecovery recovery = refined(choice, grid, scores[choice], step);
      if (space_.log.groups() > kMaxGroups && found.empty()) recovery = narrowed(choice, recovery);
      const bool is_known = std::any_of(
          found.begin(), found.end(), [&](const FoundRecovery& other) { return other.recovery == recovery.recovery; });
      if (!is_known) found.push_back(recovery);
    }
    return found;
  }

 private:
  /// Finds choices that agree with the log in 9 of 10 open decisions of the first wave, which recoveries do not affect.
  void find_choices() {
    const ReplayedLog& first = space_.replayed.front();
    const DecisionSet& wave = first.masks.first_wave;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> ranked;
    for (std::uint32_t i = 0; i < space_.choices.size(); ++i) {
      if (!first.is_possible[i]) continue;
      const std::uint64_t right = count_both(first.choices[i], wave.bits);
      if (right * 10 < wave.chance.decisions * 9) continue;
      ranked.emplace_back(~(right * 4 + count_both(first.choices[i], first.masks.judged.bits)), i);
    }
    std::sort(ranked.begin(), ranked.end());
    for (const auto& [rank, choice] : ranked)
      if (choices_.size() < kMaxChoices) choices_.push_back(choice);
  }

  /// Returns the number of decisions for which each choice agrees with the log: by choice, by recovery.
  std::vector<std::vector<std::uint64_t>> scores_at(const std::vector<LogSession>& sessions,
                                                    const std::vector<std::int64_t>& recoveries,
                                                    const std::vector<std::uint32_t>& choices) const {
    std::size_t groups = 0;
    for (const LogSession& session : sessions)
      for (const LoggedLaunch& launch : session.launches) groups += launch.groups.size();
    std::vector<std::vector<std::uint64_t>> scores(choices.size(), std::vector<std::uint64_t>(recoveries.size(), 0));
    parallel_for_in_order(
        recoveries.size(), jobs_,
        [&](std::size_t at) {
          const ReplaySetting setting{space_.policies, space_.log.time, recoveries[at], Admission::whole,
                                      space_.log.noise};
          std::vector<DecisionBits> right(choices.size(), DecisionBits(groups));
          std::uint32_t bit = 0;
          for (std::size_t i = 0; i < sessions.size(); ++i) {
            const Replay replayed = replay(sessions[i], space_.footprints[i], setting, bit);
            for (const LoggedLaunch& launch : sessions[i].launches)
              bit += static_cast<std::uint32_t>(launch.groups.size());
            for (std::size_t c = 0; c < choices.size(); ++c) {
              const CoreChoice& choice = space_.choices[choices[c]];
              decide(replayed, choice, space_.groupings[choice.grouping], space_.device, space_.policies, right[c]);
            }
          }
          for (std::size_t c = 0; c < choices.size(); ++c) scores[c][at] = right[c].count();
        },
        [](std::size_t) { return Proceed::yes; });
    return scores;
  }

  /// Returns positions in `choices_`, the best first.
  static std::vector<std::size_t> best_choices(const std::vector<std::vector<std::uint64_t>>& scores) {
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto best = [&](std::size_t i) { return *std::max_element(scores[i].begin(), scores[i].end()); };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return best(a) > best(b); });
    return order;
  }

  /// Searches in decreasing steps around the best recovery of a choice.
  FoundRecovery refined(std::size_t choice, const std::vector<std::int64_t>& grid,
                        const std::vector<std::uint64_t>& scores, std::int64_t step) const {
    std::map<std::int64_t, std::uint64_t> known;
    for (std::size_t i = 0; i < grid.size(); ++i) known[grid[i]] = scores[i];
    for (std::int64_t i = 0; i < kRefinements && step > 0; ++i) {
      const auto [first, last] = best_range(known);
      std::vector<std::int64_t> tried;
      step = std::max<std::int64_t>(step / kPartsOfStep, 1);
      for (std::int64_t away = 1; away <= kPartsOfStep; ++away)
        for (const std::int64_t at : {first - away * step, last + away * step})
          if (at >= 0 && !known.contains(at)) tried.push_back(at);
      const auto answers = scores_at(sessions_, tried, {choices_[choice]});
      for (std::size_t t = 0; t < tried.size(); ++t) known[tried[t]] = answers.front()[t];
      if (step == 1) break;
    }
    const auto [first, last] = best_range(known);
    return {shortest_between(first, last), first, last};
  }

  /// Of the recoveries that explain the first work-groups equally well, selects those that explain the whole log best.
  FoundRecovery narrowed(std::size_t choice, FoundRecovery found) const {
    constexpr std::int64_t parts = 6;
    std::map<std::int64_t, std::uint64_t> known;
    for (int round = 0; round < 3 && found.low < found.high; ++round) {
      std::vector<std::int64_t> tried;
      for (std::int64_t i = 0; i <= parts; ++i)
        if (const std::int64_t at = found.low + (found.high - found.low) * i / parts; !known.contains(at))
          tried.push_back(at);
      const auto answers = scores_at(space_.log.sessions, tried, {choices_[choice]});
      for (std::size_t t = 0; t < tried.size(); ++t) known[tried[t]] = answers.front()[t];
      const auto [first, last] = best_range(known);
      const std::int64_t width = (found.high - found.low) / parts;
      // The best range may reach up to the neighbors that are worse.
      const bool is_last = round == 2 || width == 0;
      found = {shortest_between(first, last), is_last ? first : std::max(first - width, found.low),
               is_last ? last : std::min(last + width, found.high)};
      if (is_last) break;
    }
    return found;
  }

  /// Returns the first and the last of neighboring recoveries with the best score.
  static std::pair<std::int64_t, std::int64_t> best_range(const std::map<std::int64_t, std::uint64_t>& known) {
    std::uint64_t best = 0;
    for (const auto& [at, score] : known) best = std::max(best, score);
    const auto first = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.second == best; });
    auto last = first;
    for (auto next = std::next(first); next != known.end() && next->second == best; ++next) last = next;
    return {first->first, last->first};
  }

  const RuleSpace& space_;
  Jobs jobs_;
  std::vector<LogSession> sessions_;
  std::vector<std::uint32_t> choices_;
};

}  // namespace

std::vector<FoundRecovery> search_recoveries(const RuleSpace& space, Jobs jobs) {
  if (space.log.time == LogTime::none || space.replayed.empty()) return {};
  return RecoverySearch(space, jobs).run();
}

}  // namespace gdsim
