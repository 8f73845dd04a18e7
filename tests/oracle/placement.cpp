#include "oracle/placement.hpp"

#include "oracle/groups.hpp"

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim::oracle {
namespace {

using Cores = std::vector<std::size_t>;

/// Returns the first of `cores` at or cyclically after the cursor.
std::size_t at_or_after(const Cores& cores, std::size_t cursor) {
  const auto found = std::lower_bound(cores.begin(), cores.end(), cursor);
  return found == cores.end() ? cores.front() : *found;
}

std::uint64_t resident_threads(const Core& core) {
  std::uint64_t threads = 0;
  for (const EngineHolds& engine : core.engines) threads += engine.threads;
  return threads;
}

/// The position of a core in the order that breaks ties.
std::size_t tie_rank(const World& world, std::size_t core) {
  const auto order = world.rules.tie_order.value_or(world.device.tie_order).cores_of(world.device.cores);
  if (order.empty()) return core;
  const auto place = std::find(order.begin(), order.end(), static_cast<CoreId>(core));
  return static_cast<std::size_t>(place - order.begin());
}

/// Returns the core with the minimum `value`; ties by the device's order.
template <class Value>
std::size_t min_by(const World& world, const Cores& candidates, Value value) {
  return *std::min_element(candidates.begin(), candidates.end(), [&](std::size_t a, std::size_t b) {
    const auto of_a = value(world.cores[a]);
    const auto of_b = value(world.cores[b]);
    return of_a != of_b ? of_a < of_b : tie_rank(world, a) < tie_rank(world, b);
  });
}

/// Chooses round robin over the groups of a level, and within the chosen one over those of the next level. Each group
/// has a cursor of its own; groups without candidates are skipped.
std::size_t deal_out(const World& world, DispatcherState& dispatcher, const Cores& candidates, std::size_t first,
                     std::size_t end, std::size_t level, const Cores& path) {
  const auto& levels = world.device.core_groups;
  const auto cores = static_cast<std::uint32_t>(end - first);
  const auto parts = cut(level < levels.size() ? levels[level] : CoreGroupLevel{"", cores, {}}, {first, end});
  Cores offered;  // parts with a candidate
  for (std::size_t part = 0; part < parts.size(); ++part)
    if (std::any_of(candidates.begin(), candidates.end(),
                    [&](std::size_t core) { return parts[part].first <= core && core < parts[part].end; }))
      offered.push_back(part);
  std::size_t& cursor = dispatcher.group_cursors[path];
  const std::size_t part = at_or_after(offered, cursor);
  cursor = part + 1;
  if (level == levels.size()) return first + part;
  Cores inner = path;
  inner.push_back(part);
  return deal_out(world, dispatcher, candidates, parts[part].first, parts[part].end, level + 1, inner);
}

}  // namespace

std::size_t choose_core(const World& world, DispatcherState& dispatcher, const Cores& candidates, std::size_t launch) {
  const std::string& placement = world.rules.placement;
  if (placement == "fill_first") return candidates.front();
  if (placement == "round_robin") {
    const std::size_t core = at_or_after(candidates, dispatcher.cursor);
    dispatcher.cursor = core + 1;
    return core;
  }
  if (placement == "group_round_robin")
    return deal_out(world, dispatcher, candidates, dispatcher.first, dispatcher.end, dispatcher.level, {});
  if (placement == "least_loaded") return min_by(world, candidates, resident_threads);
  GDSIM_CHECK(placement == "most_room", "the oracle does not know this placement");
  const Kernel& kernel = world.kernel(launch);
  const Need full = need_of(world.device, kernel, kernel.threads_per_work_group());
  const auto no_capacity = [&](const Core& core) { return ~group_capacity(world.device, core, full); };
  return min_by(world, candidates, no_capacity);
}

}  // namespace gdsim::oracle
