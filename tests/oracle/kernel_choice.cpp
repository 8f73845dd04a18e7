#include "oracle/kernel_choice.hpp"

#include "oracle/timing.hpp"

#include <algorithm>
#include <tuple>

namespace gdsim::oracle {
namespace {

/// Returns true if the launch has begun, or may begin: the number of launches that have begun and not ended is limited.
/// Children count with their parent.
bool may_continue(const World& world, std::size_t id) {
  if (world.launches[id].begun || world.launch(id).parent() != nullptr || !world.rules.concurrent_kernels) return true;
  std::uint64_t begun = 0;
  for (std::size_t other = 0; other < world.launches.size(); ++other) {
    const LaunchState& launch = world.launches[other];
    const bool counts = world.launch(other).parent() == nullptr && world.launch(other).is_kernel();
    if (counts && launch.begun && !launch.ended) ++begun;
  }
  return begun < *world.rules.concurrent_kernels;
}

/// Returns the launch's own priority, else its queue's.
std::int64_t priority_of(const World& world, std::size_t id) {
  const Launch& launch = world.launch(id);
  if (launch.as_kernel().priority) return *launch.as_kernel().priority;
  return launch.queue ? world.workload.queues[index_of(*launch.queue)].priority : 0;
}

/// Orders by readiness, then by the file; launches that have begun come first, if `begun_first`.
auto position_of(const World& world, std::size_t id, bool begun_first) {
  const LaunchState& launch = world.launches[id];
  return std::tuple(begun_first && !launch.begun, *launch.ready, id);
}

/// Launches that wait for cores and have begun or may, in the order in which the rules choose them. Children go before
/// others, except in a round robin; where priorities count, the higher goes first.
std::vector<std::size_t> queue_of(const World& world) {
  std::vector<std::size_t> queue;
  for (std::size_t id = 0; id < world.launches.size(); ++id)
    if (world.launches[id].ready && world.launch(id).is_kernel() && has_threads_left(world, id) &&
        may_continue(world, id))
      queue.push_back(id);
  const KernelChoice choice = world.rules.kernel_choice;
  const bool by_head = choice == KernelChoice::head_only || choice == KernelChoice::priority;
  const auto rank = [&](std::size_t id) {
    const std::int64_t priority = choice == KernelChoice::priority ? priority_of(world, id) : 0;
    const std::int64_t depth = choice == KernelChoice::round_robin ? 0 : world.launches[id].depth;
    return std::tuple(-priority, -depth, position_of(world, id, by_head));
  };
  std::sort(queue.begin(), queue.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return queue;
}

/// Returns true if the launch has a work-group to place.
bool can_place_more(const LaunchState& launch) { return launch.groups_begun < launch.groups_total; }

/// Returns true if another launch of the kernel on the same cores precedes this one: such launches do not overtake each
/// other. Children and other launches do not count as the same.
bool stands_behind_kin(const World& world, const std::vector<std::size_t>& queue, std::size_t id) {
  return std::any_of(queue.begin(), queue.end(), [&](std::size_t other) {
    const bool are_kin = world.launch(other).as_kernel().kernel == world.launch(id).as_kernel().kernel &&
                         (world.launch(other).parent() == nullptr) == (world.launch(id).parent() == nullptr) &&
                         cores_of(world, other) == cores_of(world, id);
    return are_kin && can_place_more(world.launches[other]) &&
           position_of(world, other, true) < position_of(world, id, true);
  });
}

/// Returns true if the launch has a core to itself, where it may fit although others do not.
bool owns_a_core(const World& world, std::size_t id) {
  return world.rules.core_sharing == CoreSharing::exclusive &&
         std::any_of(world.cores.begin(), world.cores.end(), [id](const Core& core) {
           return std::any_of(core.groups.begin(), core.groups.end(),
                              [id](const Group* group) { return group->launch == id; });
         });
}

/// Returns true if a refusal of one launch implies that of the other, which is then not chosen, and does not begin.
bool request_the_same(const World& world, std::size_t a, std::size_t b) {
  return world.launch(a).as_kernel().kernel == world.launch(b).as_kernel().kernel &&
         !world.kernel(a).has_smaller_groups() &&
         (world.launch(a).parent() == nullptr) == (world.launch(b).parent() == nullptr) &&
         cores_of(world, a) == cores_of(world, b) && !owns_a_core(world, a) && !owns_a_core(world, b);
}

/// Returns the queue rotated to begin after the launch that placed a work-group last.
std::vector<std::size_t> rotated(const World& world, std::vector<std::size_t> queue) {
  if (!world.last_launch) return queue;
  const std::pair last(*world.launches[*world.last_launch].ready, *world.last_launch);
  const auto behind = std::find_if(queue.begin(), queue.end(),
                                   [&](std::size_t id) { return std::pair(*world.launches[id].ready, id) > last; });
  std::rotate(queue.begin(), behind, queue.end());
  return queue;
}

bool share_a_core(const World& world, std::size_t a, std::size_t b) {
  const std::vector<std::size_t> own = cores_of(world, a);
  const std::vector<std::size_t> others = cores_of(world, b);
  return std::any_of(own.begin(), own.end(),
                     [&](std::size_t core) { return std::find(others.begin(), others.end(), core) != others.end(); });
}

/// Returns when a launch of the same cores was placed last, counted in placements; 0: never.
std::uint64_t last_placement(const World& world, std::size_t id) {
  std::uint64_t last = 0;
  for (std::size_t other = 0; other < world.launches.size(); ++other)
    if (world.launch(other).is_kernel() && cores_of(world, other) == cores_of(world, id))
      last = std::max(last, world.launches[other].last_placement);
  return last;
}

/// Returns the head whose turn it is. A head is a launch of the queue before which none may use one of its cores.
std::optional<std::size_t> next_head(const World& world, const std::vector<std::size_t>& queue,
                                     const std::set<std::size_t>& blocked) {
  std::optional<std::size_t> best;
  for (auto head = queue.begin(); head != queue.end(); ++head) {
    if (blocked.contains(*head) || !can_place_more(world.launches[*head])) continue;
    if (std::any_of(queue.begin(), head, [&](std::size_t before) { return share_a_core(world, before, *head); }))
      continue;
    if (!best || last_placement(world, *head) < last_placement(world, *best)) best = *head;
  }
  return best;
}

}  // namespace

bool has_threads_left(const World& world, std::size_t id) {
  return can_place_more(world.launches[id]) ||
         std::any_of(world.groups.begin(), world.groups.end(),
                     [id](const Group& group) { return group.launch == id && group.is_partial(); });
}

std::optional<std::size_t> next_launch(const World& world, const std::set<std::size_t>& blocked) {
  const std::vector<std::size_t> queue = queue_of(world);
  const auto can_go = [&](std::size_t id) { return !blocked.contains(id) && can_place_more(world.launches[id]); };
  switch (world.rules.kernel_choice) {
    case KernelChoice::head_only:
    case KernelChoice::priority:
    case KernelChoice::time_sliced:  // within one process
      return next_head(world, queue, blocked);
    case KernelChoice::skip_blocked:
      for (const std::size_t id : queue)
        if (can_go(id) && !stands_behind_kin(world, queue, id)) return id;
      return std::nullopt;
    case KernelChoice::round_robin:
      for (const std::size_t id : rotated(world, queue)) {
        const bool is_refused_with_another = std::any_of(
            blocked.begin(), blocked.end(), [&](std::size_t other) { return request_the_same(world, id, other); });
        if (can_go(id) && !is_preparing(world, id) && !is_refused_with_another) return id;
      }
      return std::nullopt;
    case KernelChoice::own: break;  // the oracle knows none
  }
  return std::nullopt;
}

std::vector<std::size_t> cores_of(const World& world, std::size_t id) {
  const Launch& launch = world.launch(id);
  CoreSelection selection = !launch.is_kernel() ? CoreSelection{} : launch.as_kernel().cores;
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
  if (world.rules.slm_reconfiguration != SlmReconfiguration::drains_core || core.groups.empty()) return true;
  return core.pool == need.chosen_pool || (need.joins_larger_pool && core.pool > need.chosen_pool);
}

std::uint64_t room_in_pool(const World& world, const Core& core, const Need& need) {
  const bool is_set = world.rules.slm_reconfiguration == SlmReconfiguration::drains_core && !core.groups.empty();
  return is_set && need.slm > 0 ? static_cast<std::uint64_t>((core.pool - core.slm) / need.slm) : ~std::uint64_t{0};
}

}  // namespace gdsim::oracle
