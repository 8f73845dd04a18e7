#include <gdsim/infer/turn_timing.hpp>

#include <algorithm>
#include <map>
#include <optional>

namespace gdsim {
namespace {

/// The last two instants at which a dispatcher placed something.
struct Instants {
  std::optional<std::int64_t> last;
  std::optional<std::int64_t> before;
  std::uint32_t threads = 0;  ///< placed by the last placement at the last instant
  std::uint32_t threads_before = 0;

  void note(std::int64_t at, std::uint32_t placed) {
    if (last != at) {
      before = last;
      threads_before = threads;
    }
    last = at;
    threads = placed;
  }
};

}  // namespace

TurnTiming turn_timing(const std::vector<Replay>& replays, const CoreGrouping& grouping, std::size_t cores) {
  std::vector<std::size_t> unit_of_core(cores, 0);
  for (std::size_t unit = 0; unit < grouping.groups.size(); ++unit)
    for (std::size_t core = grouping.groups[unit].first; core < grouping.groups[unit].last; ++core)
      unit_of_core[core] = unit;
  TurnTiming timing;
  for (const Replay& replay : replays) {
    std::vector<Instants> instants(grouping.groups.size());
    std::map<std::uint32_t, std::int64_t> begun;  // launches, and their first placement
    for (const ReplayStep& step : replay.steps) {
      Instants& of_unit = instants[unit_of_core[step.core]];
      const auto [launch, is_first] = begun.emplace(step.launch, step.start);
      if (of_unit.last && !is_first && step.fits) {
        ++timing.placements;
        const bool is_simultaneous = of_unit.last == step.start;
        if (is_simultaneous) ++timing.simultaneous;
        const auto earlier = is_simultaneous ? of_unit.before : of_unit.last;
        if (earlier && step.free_since <= *earlier && launch->second <= *earlier) {
          ++timing.late;
          const std::uint32_t threads = is_simultaneous ? of_unit.threads_before : of_unit.threads;
          timing.waits.push_back(step.start - *earlier);
          timing.waits_by_threads[threads].push_back(step.start - *earlier);
        }
      }
      if (!of_unit.last && step.fits) {
        ++timing.firsts;
        if (step.free_since <= launch->second && launch->second < step.start) ++timing.idle;
      }
      of_unit.note(step.start, step.threads);
    }
  }
  std::sort(timing.waits.begin(), timing.waits.end());
  for (auto& [threads, waits] : timing.waits_by_threads) std::sort(waits.begin(), waits.end());
  return timing;
}

}  // namespace gdsim
