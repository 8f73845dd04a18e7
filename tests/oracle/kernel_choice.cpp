#include "oracle/kernel_choice.hpp"

#include <algorithm>
#include <tuple>

namespace gdsim::oracle {
namespace {

/// Launches that wait for cores, in the order in which they are ready. Children go before others; where priorities
/// count, the higher goes first.
std::vector<std::size_t> queue_of(const World& world) {
  std::vector<std::size_t> queue;
  for (std::size_t id = 0; id < world.launches.size(); ++id)
    if (world.launches[id].ready && !world.launch(id).is_copy() && has_threads_left(world, id))
      queue.push_back(id);
  const auto place = [&](std::size_t id) {
    const bool by_priority = world.rules.kernel_choice == KernelChoice::priority;
    const bool goes_round = world.rules.kernel_choice == KernelChoice::round_robin;
    const LaunchState& launch = world.launches[id];
    return std::tuple(by_priority ? -std::int64_t{world.launch(id).priority} : 0,
                      goes_round ? 0 : -std::int64_t{launch.depth}, *launch.ready, id);
  };
  std::sort(queue.begin(), queue.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  return queue;
}

/// The launch has begun, or may: at most so many have begun and not ended. Children count with their parent.
bool may_go_on(const World& world, std::size_t id) {
  if (world.launches[id].first_dispatched || world.launch(id).parent || !world.rules.concurrent_kernels.count)
    return true;
  std::uint64_t begun = 0;
  for (std::size_t other = 0; other < world.launches.size(); ++other) {
    const LaunchState& launch = world.launches[other];
    const bool counts = !world.launch(other).parent && !world.launch(other).is_copy();
    if (counts && launch.first_dispatched && !launch.ended) ++begun;
  }
  return begun < *world.rules.concurrent_kernels.count;
}

/// It has a work-group to place.
bool can_place_more(const LaunchState& launch) { return launch.groups_begun < launch.groups_total; }

/// Launches of one kernel on the same cores keep their order.
bool are_kin(const World& world, std::size_t a, std::size_t b) {
  return world.launch(a).kernel == world.launch(b).kernel && cores_of(world, a) == cores_of(world, b);
}

/// Behind the launch that placed a work-group last, once around.
std::vector<std::size_t> turned(const World& world, std::vector<std::size_t> queue) {
  if (!world.last_launch) return queue;
  const std::pair last(*world.launches[*world.last_launch].ready, *world.last_launch);
  const auto behind = std::find_if(queue.begin(), queue.end(), [&](std::size_t id) {
    return std::pair(*world.launches[id].ready, id) > last;
  });
  std::rotate(queue.begin(), behind, queue.end());
  return queue;
}

}  // namespace

bool has_threads_left(const World& world, std::size_t id) {
  return can_place_more(world.launches[id]) ||
         std::any_of(world.groups.begin(), world.groups.end(),
                     [id](const Group& group) { return group.launch == id && group.is_partial(); });
}

std::optional<std::size_t> next_launch(const World& world, const std::set<std::size_t>& blocked) {
  const std::vector<std::size_t> queue = queue_of(world);
  const auto can_go = [&](std::size_t id) {
    return !blocked.contains(id) && can_place_more(world.launches[id]) && may_go_on(world, id);
  };
  switch (world.rules.kernel_choice) {
    case KernelChoice::head_only:
    case KernelChoice::priority:
      if (queue.empty() || !can_go(queue.front())) return std::nullopt;
      return queue.front();
    case KernelChoice::skip_blocked:
      for (auto id = queue.begin(); id != queue.end(); ++id) {
        const auto stands_before = [&](std::size_t other) {
          return can_place_more(world.launches[other]) && are_kin(world, *id, other);
        };
        if (can_go(*id) && std::none_of(queue.begin(), id, stands_before)) return *id;
      }
      return std::nullopt;
    case KernelChoice::round_robin:
      for (const std::size_t id : turned(world, queue))
        if (can_go(id)) return id;
      return std::nullopt;
  }
  return std::nullopt;
}

std::vector<std::size_t> cores_of(const World& world, std::size_t id) {
  const Launch& launch = world.launch(id);
  CoreSelection selection = launch.cores;
  if (selection.empty() && launch.queue) selection = world.workload.queues[index_of(*launch.queue)].cores;
  std::vector<std::size_t> cores;
  for (std::size_t core = 0; core < world.cores.size(); ++core)
    if (selection.empty() || std::any_of(selection.begin(), selection.end(), [core](const CoreRange& range) {
          return index_of(range.first) <= core && core <= index_of(range.last);
        }))
      cores.push_back(core);
  return cores;
}

bool may_use(const World& world, std::size_t id, const Core& core, const Need& need) {
  const bool holds_others =
      std::any_of(core.groups.begin(), core.groups.end(), [id](const Group* group) { return group->launch != id; });
  if (world.rules.core_sharing == CoreSharing::exclusive && holds_others) return false;
  const bool must_drain = world.rules.slm_reconfiguration == SlmReconfiguration::drains_core;
  return !must_drain || core.groups.empty() || core.pool == need.pool;
}

}  // namespace gdsim::oracle
