#include "oracle/launches.hpp"

#include <algorithm>
#include <set>

namespace gdsim::oracle {
namespace {

bool share_one(const LazyVector<BufferId>& some, const LazyVector<BufferId>& others) {
  return std::any_of(some.begin(), some.end(),
                     [&](BufferId buffer) { return std::find(others.begin(), others.end(), buffer) != others.end(); });
}

/// `later` stands behind `earlier` in the file, and must come after it.
bool comes_after(const World& world, std::size_t later, std::size_t earlier) {
  const Launch& b = world.launch(later);
  const Launch& a = world.launch(earlier);
  const bool same_queue = a.queue && a.queue == b.queue;
  if (same_queue && world.workload.queues[index_of(*a.queue)].order == QueueOrder::in_order) return true;
  return share_one(a.writes, b.reads) || share_one(a.reads, b.writes) || share_one(a.writes, b.writes);
}

std::set<std::size_t> waited_for(const World& world, std::size_t id) {
  std::set<std::size_t> others(world.launches[id].predecessors.begin(), world.launches[id].predecessors.end());
  for (const LaunchId other : world.launch(id).host_waits) others.insert(index_of(other));
  return others;
}

/// The latest `at` of the launch and of all that it waits for, directly or not.
Time latest_at(const World& world, std::size_t id);

/// The host submits by `at`. A launch with `wait:` and no `at:` has the latest of those that it waits for, and of those
/// that these wait for.
Time host_time(const World& world, std::size_t id) {
  const Launch& launch = world.launch(id);
  Time time = launch.at.count;
  if (time == 0)
    for (const LaunchId other : launch.host_waits) time = std::max(time, latest_at(world, index_of(other)));
  return time;
}

Time latest_at(const World& world, std::size_t id) {
  Time time = host_time(world, id);
  for (const std::size_t other : waited_for(world, id)) time = std::max(time, latest_at(world, other));
  return time;
}

}  // namespace

void prepare_launches(World& world) {
  world.launches.resize(world.workload.launches.size());
  for (std::size_t id = 0; id < world.launches.size(); ++id) {
    LaunchState& state = world.launches[id];
    const Launch& launch = world.launch(id);
    if (!launch.is_copy()) state.groups_total = world.kernel(id).range.group_count();
    if (launch.parent() != nullptr) {
      LaunchState& parent = world.launches[index_of(launch.parent()->launch)];
      parent.children.push_back(id);
      state.depth = parent.depth + 1;
      continue;
    }
    world.host_order.push_back(id);
    std::set<std::size_t> before;
    for (const LaunchId other : launch.after) before.insert(index_of(other));
    for (std::size_t other = 0; other < id; ++other)
      if (world.launch(other).parent() == nullptr && comes_after(world, id, other)) before.insert(other);
    state.predecessors.assign(before.begin(), before.end());
  }
  std::stable_sort(world.host_order.begin(), world.host_order.end(),
                   [&](std::size_t a, std::size_t b) { return host_time(world, a) < host_time(world, b); });
}

std::optional<Time> end_of_submission(const World& world) {
  if (world.host_done == world.host_order.size()) return std::nullopt;
  const Launch& next = world.launch(world.host_order[world.host_done]);
  Time begin = std::max(world.host_free_at, next.at.count);
  for (const LaunchId other : next.host_waits) {
    const auto& ended = world.launches[index_of(other)].ended;
    if (!ended) return std::nullopt;
    begin = std::max(begin, *ended);
  }
  return begin + world.device.submit_overhead.count;
}

void end_submission(World& world) {
  world.launches[world.host_order[world.host_done++]].submitted = world.now;
  world.host_free_at = world.now;
}

std::optional<Time> arrival_of(const World& world, std::size_t id) {
  const LaunchState& launch = world.launches[id];
  if (launch.ready || !launch.submitted) return std::nullopt;
  Time ready = *launch.submitted + world.device.launch_latency.count;
  for (const std::size_t other : launch.predecessors) {
    const auto& ended = world.launches[other].ended;
    if (!ended) return std::nullopt;
    ready = std::max(ready, *ended + world.device.dependency_gap.count);
  }
  return ready;
}

void end_if_done(World& world, std::size_t id) {
  LaunchState& launch = world.launches[id];
  const bool has_children = std::all_of(launch.children.begin(), launch.children.end(),
                                        [&](std::size_t child) { return world.launches[child].ended.has_value(); });
  if (launch.groups_ended < launch.groups_total || !has_children) return;
  launch.ended = world.now;
  if (const LaunchParent* parent = world.launch(id).parent()) end_if_done(world, index_of(parent->launch));
}

}  // namespace gdsim::oracle
