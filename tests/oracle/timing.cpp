#include "oracle/timing.hpp"

#include "oracle/clocks.hpp"
#include "oracle/groups.hpp"

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim::oracle {
namespace {

/// Makes one dispatcher for each range of cores. Groups of this level lie inside of them.
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

/// Returns the time when the launch, which is ready, has paid the part of its cost that overlaps with its predecessors.
Time end_of_overlapping(const World& world, const LaunchState& launch) {
  Time begin = *launch.submitted + world.device.launch_latency.count;
  std::set<std::size_t> all = launch.triggers;
  all.insert(launch.predecessors.begin(), launch.predecessors.end());
  for (const std::size_t id : all) {
    const LaunchState& before = world.launches[id];
    begin = std::max(begin, !world.launch(id).is_kernel() ? *before.first_dispatched : *before.begun);
  }
  return end_of(world, begin, lengths_of(world, world.device.launch_cost->overlapping));
}

/// Returns the time when the work-groups of a begun launch can be placed. Launches must have a cost.
Time placeable_from(const World& world, const LaunchState& launch) {
  return end_of(world, std::max(launch.begun_for_device, launch.overlapped),
                lengths_of(world, world.device.launch_cost->serial));
}

}  // namespace

Lengths lengths_of(const World& world, const StepTime& time) {
  return lengths(world, [&](const DeviceSpec& device) {
    return resolve(time, device.clock.value_or(Hertz{1}), Decimal::whole(1)).value().count;
  });
}

bool launches_cost(const World& world) {
  const auto& cost = world.device.launch_cost;
  const auto takes_time = [&](const StepTime& part) {
    const Lengths all = lengths_of(world, part);
    return std::any_of(all.begin(), all.end(), [](Time length) { return length > 0; });
  };
  return cost && (takes_time(cost->serial) || takes_time(cost->overlapping));
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
  Lengths busy = lengths_of(world, world.rules.interval->per_work_group);
  const Lengths per_thread = lengths_of(world, world.rules.interval->per_thread);
  for (std::size_t i = 0; i < busy.size(); ++i)
    busy[i] = std::max(busy[i], per_thread[i] * static_cast<Time>(threads)) * static_cast<Time>(work_groups);
  dispatcher.busy_until = end_of(world, world.now, busy);
}

bool is_busy(const World& world, const DispatcherState& dispatcher) { return dispatcher.busy_until > world.now; }

namespace {

/// Returns true if some thread comes to a store.
bool comes_to_store(const Program& program) {
  return std::any_of(program.begin(), program.end(), [](const Step& step) {
    if (const auto* loop = std::get_if<Loop>(&step)) return loop->count > 0 && comes_to_store(loop->body);
    if (const auto* only = std::get_if<Only>(&step)) return comes_to_store(only->body);
    if (const auto* tiles = std::get_if<Tiles>(&step)) {
      for (std::size_t i = 0; i < tiles->body_count(); ++i)
        if (comes_to_store(tiles->body_of(i))) return true;
      return false;
    }
    return writes_only(step);
  });
}

}  // namespace

void release(World& world, Group& group, std::size_t core, const Thread* thread) {
  Lengths recovery = lengths_of(world, world.rules.recovery.value_or(StepTime{}));
  if (world.device.memory && comes_to_store(program_of(world.kernel(group.launch), group.number))) {
    const Lengths drain = lengths_of(world, world.device.memory->store_drain);
    for (std::size_t i = 0; i < recovery.size(); ++i) recovery[i] += drain[i];
  }
  const Time at = end_of(world, world.now, recovery);
  world.turn_is_due = true;
  if (at == world.now) return free_now(world, group, core, thread);
  world.recovering.push_back({at, &group, core, thread});
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
  LaunchState& state = world.launches[launch];
  if (!state.begun) state.begun = state.begun_for_device = world.now;
  return !is_preparing(world, launch);
}

void note_overlapped(World& world, std::size_t launch) {
  if (!launches_cost(world) || !world.launch(launch).is_kernel()) return;
  world.launches[launch].overlapped = std::max(world.now, end_of_overlapping(world, world.launches[launch]));
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
