#include "oracle/timing.hpp"

#include "oracle/groups.hpp"

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim::oracle {
namespace {

/// One dispatcher for each span. Groups of this level lie inside of them.
std::vector<DispatcherState> dispatchers_of(const std::vector<CoreSpan>& spans, std::size_t level) {
  std::vector<DispatcherState> dispatchers;
  for (const CoreSpan& span : spans) {
    DispatcherState& one = dispatchers.emplace_back();
    one.first = span.first;
    one.end = span.end;
    one.level = level;
  }
  return dispatchers;
}

void free_now(World& world, Group& group, std::size_t core, const Thread* thread) {
  if (thread != nullptr) release_thread(world.cores[core], thread->engine, group.need);
  if (thread == nullptr) release_group(world.cores[core], group);
  world.turn_is_due = true;
}

/// When the launch, which is ready, has paid the part of its cost that lies behind those that it depends on.
Time end_of_overlapping(const World& world, const LaunchState& launch) {
  Time begin = *launch.submitted + world.device.launch_latency.count;
  std::set<std::size_t> all = launch.triggers;
  all.insert(launch.predecessors.begin(), launch.predecessors.end());
  for (const std::size_t id : all) {
    const LaunchState& before = world.launches[id];
    begin = std::max(begin, world.launch(id).is_copy() ? *before.first_dispatched : *before.begun);
  }
  return begin + length_of(world, world.device.launch_cost->overlapping);
}

/// When the work-groups of a launch that has begun can be placed; only where launches cost time.
Time placeable_from(const World& world, const LaunchState& launch) {
  return std::max(*launch.begun, end_of_overlapping(world, launch)) +
         length_of(world, world.device.launch_cost->serial);
}

}  // namespace

Time length_of(const World& world, const StepTime& time) {
  return resolve(time, world.device.clock.value_or(Hertz{1}), Decimal::whole(1)).value().count;
}

Time recovery_time(const World& world) { return world.rules.recovery ? length_of(world, *world.rules.recovery) : 0; }

bool launches_cost(const World& world) {
  const auto& cost = world.device.launch_cost;
  return cost && length_of(world, cost->serial) + length_of(world, cost->overlapping) > 0;
}

void prepare_dispatchers(World& world) {
  const std::string level_name = world.rules.interval ? world.rules.interval->dispatchers : "device";
  const auto& levels = world.device.core_groups;
  std::vector<CoreSpan> spans{{0, world.device.cores}};
  std::size_t level = 0;
  if (level_name == "core") {
    spans = cut({"", world.device.cores, {}}, spans.front());
    level = levels.size();
  } else if (level_name != "device") {
    spans = groups_called(world.device, level_name);
    while (levels[level].name != level_name && level_name != "core_group") ++level;
    ++level;
  }
  world.dispatchers = dispatchers_of(spans, level);
}

void keep_busy(World& world, DispatcherState& dispatcher, std::uint64_t threads, std::uint64_t work_groups) {
  if (!world.rules.interval || threads == 0) return;
  const Time by_group = length_of(world, world.rules.interval->per_work_group);
  const Time by_threads = length_of(world, world.rules.interval->per_thread) * static_cast<Time>(threads);
  dispatcher.busy_until = world.now + std::max(by_group, by_threads) * static_cast<Time>(work_groups);
}

bool is_busy(const World& world, const DispatcherState& dispatcher) { return dispatcher.busy_until > world.now; }

void release(World& world, Group& group, std::size_t core, const Thread* thread) {
  const Time time = recovery_time(world);
  world.turn_is_due = true;
  if (time == 0) return free_now(world, group, core, thread);
  world.recovering.push_back({world.now + time, &group, core, thread});
}

bool recovers(World& world) {
  const auto over = std::find_if(world.recovering.begin(), world.recovering.end(),
                                 [&](const Recovery& one) { return one.at == world.now; });
  if (over == world.recovering.end()) return false;
  const Recovery one = *over;
  world.recovering.erase(over);
  free_now(world, *one.group, one.core, one.thread);
  return true;
}

bool may_place(World& world, std::size_t launch) {
  if (!launches_cost(world)) return true;
  if (!world.launches[launch].begun) world.launches[launch].begun = world.now;
  return !is_preparing(world, launch);
}

bool is_preparing(const World& world, std::size_t launch) {
  const LaunchState& state = world.launches[launch];
  return launches_cost(world) && state.begun && placeable_from(world, state) > world.now;
}

std::optional<Time> next_timing(const World& world) {
  std::optional<Time> next;
  const auto consider = [&](Time time) {
    if (time > world.now && (!next || time < *next)) next = time;
  };
  for (const Recovery& one : world.recovering) consider(one.at);
  for (const DispatcherState& dispatcher : world.dispatchers) consider(dispatcher.busy_until);
  for (const LaunchState& launch : world.launches)
    if (launch.begun && launches_cost(world)) consider(placeable_from(world, launch));
  return next;
}

bool brings_a_turn(const World& world) {
  return (world.now > 0 && std::any_of(world.dispatchers.begin(), world.dispatchers.end(),
                                       [&](const DispatcherState& one) { return one.busy_until == world.now; })) ||
         (launches_cost(world) &&
          std::any_of(world.launches.begin(), world.launches.end(), [&](const LaunchState& launch) {
            return launch.begun && placeable_from(world, launch) == world.now;
          }));
}

}  // namespace gdsim::oracle
