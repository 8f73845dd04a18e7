#include "oracle/dispatch.hpp"

#include "oracle/groups.hpp"
#include "oracle/kernel_choice.hpp"
#include "oracle/memory.hpp"
#include "oracle/placement.hpp"
#include "oracle/sharing.hpp"
#include "oracle/steps.hpp"
#include "oracle/timing.hpp"

#include <algorithm>

namespace gdsim::oracle {
namespace {

bool uses_barrier_or_slm(const Kernel& kernel) {
  return has_barrier(kernel.program) || kernel.needs.slm.total.count > 0;
}

/// Returns the admission. `spread` is for work-groups without barrier and SLM; others are placed whole.
Admission admission_of(const World& world, std::size_t launch) {
  const Admission admission = world.rules.admission;
  return admission == Admission::spread && uses_barrier_or_slm(world.kernel(launch)) ? Admission::whole : admission;
}

/// Returns true if a partial work-group of the launch is handed to its core's own dispatcher, and so holds no port.
bool is_handed_over(const World& world, std::size_t launch) {
  if (world.rules.handover == Handover::barrier_or_slm) return uses_barrier_or_slm(world.kernel(launch));
  return world.rules.handover == Handover::always;
}

bool has_free_port(const World& world) {
  if (!world.rules.ports) return true;
  const auto held =
      std::count_if(world.groups.begin(), world.groups.end(), [](const Group& group) { return group.holds_port; });
  return static_cast<std::uint64_t>(held) < *world.rules.ports;
}

bool is_on(const Group* group, std::size_t core) {
  return group != nullptr && std::find(group->cores.begin(), group->cores.end(), core) != group->cores.end();
}

/// Returns the needs of the next work-group on the core; nullopt if the launch has none left for this core.
std::optional<Need> need_on(const World& world, std::size_t launch, std::size_t core) {
  const auto number = next_number(world, launch, core);
  if (!number) return std::nullopt;
  const Kernel& kernel = world.kernel(launch);
  Need need = need_of(world.device, kernel, kernel.threads_of(WorkGroupId{*number}));
  choose_pool(world.device, kernel, need);
  return need;
}

/// Returns true if the core could take a work-group with this need, or the rest of `begun`, which is spread.
bool could_take(const World& world, std::size_t launch, std::size_t id, const Need& need, const Group* begun) {
  const Core& core = world.cores[id];
  const bool is_whole = admission_of(world, launch) == Admission::whole;
  return core.partial == nullptr && may_use(world, launch, core, need) &&
         (is_on(begun, id) || (group_fits(world.device, core, need) && room_in_pool(world, core, need) > 0)) &&
         thread_capacity(world.device, core, need) >= (is_whole ? need.threads : 1) &&
         (!is_whole || has_run(world.device, core, need));
}

/// Returns the cores of a dispatcher that could take the launch's next work-group, or the rest of `begun`, which is
/// spread. If they come in clusters of more than one, only cores where the whole cluster could be placed at once, each
/// work-group on a core of its own.
std::vector<std::size_t> candidates_for(const World& world, const DispatcherState& dispatcher, std::size_t launch,
                                        const Group* begun, std::uint64_t cluster) {
  std::vector<std::size_t> candidates;
  for (const std::size_t id : cores_of(world, launch)) {
    if (id < dispatcher.first || id >= dispatcher.end) continue;
    const auto need = begun != nullptr ? begun->need : need_on(world, launch, id);
    if (!need || !could_take(world, launch, id, *need, begun)) continue;
    std::uint64_t with_room = 0;
    for (const std::size_t other : cores_of_cluster(world, dispatcher, launch, id, cluster))
      if (could_take(world, launch, other, *need, nullptr)) ++with_room;
    if (cluster == 1 || with_room >= cluster) candidates.push_back(id);
  }
  return candidates;
}

bool a_thread_has_ended(const World& world, std::size_t launch, std::size_t core) {
  for (const Group& group : world.groups)
    for (const Thread& thread : group.threads)
      if (group.launch == launch && thread.core == core &&
          (thread.state == Thread::State::ended || thread.state == Thread::State::gone))
        return true;
  return false;
}

/// Places the maximum number of threads of the work-group that fits on the core. That keeps its dispatcher busy.
void place_threads(World& world, Group& group, std::size_t id, std::uint64_t cluster) {
  Core& core = world.cores[id];
  LaunchState& launch = world.launches[group.launch];
  if (!is_on(&group, id)) {
    if (group.cores.empty()) group.is_first_wave = !a_thread_has_ended(world, group.launch, id);
    group.cores.push_back(id);
    if (group.cores.size() == 1 && changes_working_set(world, group, 1)) working_set_changes(world);
    take_group(world.device, core, group);
  }
  std::vector<Thread*> placed;
  while (group.is_partial()) {
    const auto engine = engine_for(world.device, core, group.need);
    if (!engine) break;
    Thread& thread = group.threads[group.placed++];
    take_thread(core, *engine, group.need);
    thread.core = id;
    thread.placed = world.now;
    thread.engine = *engine;
    thread.state = Thread::State::busy;
    placed.push_back(&thread);
  }
  keep_busy(world, world.dispatchers[group.dispatcher], placed.size(), cluster);
  if (group.first_placed == 0) group.first_placed = group.placed;
  if (!group.is_partial()) {
    group.filled = world.now;
    group.holds_port = false;
    if (!has_threads_left(world, group.launch)) launch.fully_dispatched = world.now;
  }
  for (Thread* thread : placed) begin_next_step(world, group, *thread);
}

/// Places the rest of the spread work-group wherever it fits.
void continue_spreading(World& world, Group& group) {
  DispatcherState& dispatcher = world.dispatchers[group.dispatcher];
  while (group.is_partial() && !is_busy(world, dispatcher)) {
    const auto candidates = candidates_for(world, dispatcher, group.launch, &group, 1);
    if (candidates.empty()) return;
    place_threads(world, group, choose_core(world, dispatcher, candidates, group.launch), 1);
  }
}

/// Returns the spread work-group with threads left: its dispatcher places no other work-group before them.
Group* spread_group(World& world, std::size_t dispatcher) {
  for (Group& group : world.groups)
    if (group.is_partial() && group.dispatcher == dispatcher && admission_of(world, group.launch) == Admission::spread)
      return &group;
  return nullptr;
}

/// Returns the core of the batch, if there is one for this launch and the work-group fits there; else the core that the
/// placement chooses, and a batch may begin. Clusters are not placed in batches.
std::size_t choose_with_batch(World& world, DispatcherState& dispatcher, const std::vector<std::size_t>& candidates,
                              std::size_t launch, std::uint64_t cluster) {
  if (cluster > 1) {
    dispatcher.batch_left = 0;
    return choose_core(world, dispatcher, candidates, launch);
  }
  const bool goes_on = dispatcher.batch_left > 0 && dispatcher.batch_launch == launch &&
                       std::find(candidates.begin(), candidates.end(), dispatcher.batch_core) != candidates.end();
  if (goes_on) {
    --dispatcher.batch_left;
    return dispatcher.batch_core;
  }
  const std::size_t core = choose_core(world, dispatcher, candidates, launch);
  if (const auto& batch = world.rules.batch) {
    const std::uint64_t grid = world.launches[launch].groups_total;
    const std::uint64_t left = grid - world.launches[launch].groups_begun;
    const std::uint64_t cores = world.device.cores;
    const bool holds = grid >= batch->grid_at_least.per_core * cores + batch->grid_at_least.plus &&
                       left >= batch->left_at_least.per_core * cores + batch->left_at_least.plus;
    dispatcher.batch_launch = launch;
    dispatcher.batch_core = core;
    dispatcher.batch_left = holds ? batch->work_groups - 1 : 0;
  }
  return core;
}

/// Begins the next work-group for this core there.
Group& begin_on(World& world, std::size_t dispatcher, std::size_t launch, std::size_t core) {
  const std::uint64_t number = next_number(world, launch, core).value();
  Group& group = begin_group(world, launch, number, need_on(world, launch, core).value());
  group.dispatcher = dispatcher;
  return group;
}

/// Returns how many of the launch's work-groups come next together: as many as it prefers, if these begin here and fit.
std::uint64_t size_of_next_cluster(const World& world, const DispatcherState& dispatcher, std::size_t launch) {
  const std::uint64_t preferred = world.kernel(launch).preferred_cluster_size();
  const bool begins = world.launches[launch].groups_begun % preferred == 0;
  return begins && !candidates_for(world, dispatcher, launch, nullptr, preferred).empty()
             ? preferred
             : world.kernel(launch).cluster_size();
}

/// Places the launch's next work-group or cluster, if cores of the dispatcher can take it. Returns true if so.
bool place_next(World& world, std::size_t number_of_dispatcher, std::size_t id) {
  DispatcherState& dispatcher = world.dispatchers[number_of_dispatcher];
  const std::uint64_t cluster = size_of_next_cluster(world, dispatcher, id);
  const auto candidates = candidates_for(world, dispatcher, id, nullptr, cluster);
  if (candidates.empty()) return false;
  if (admission_of(world, id) == Admission::spread) {
    continue_spreading(world, begin_on(world, number_of_dispatcher, id, candidates.front()));
    return true;
  }
  std::size_t core = choose_with_batch(world, dispatcher, candidates, id, cluster);
  std::vector<std::size_t> together = cores_of_cluster(world, dispatcher, id, core, cluster);
  for (std::uint64_t i = 0; i < cluster; ++i) {
    if (i > 0) {
      std::erase(together, core);
      std::vector<std::size_t> others;
      for (const std::size_t other : together)
        if (could_take(world, id, other, need_on(world, id, other).value(), nullptr)) others.push_back(other);
      core = choose_core(world, dispatcher, others, id);
    }
    Group& group = begin_on(world, number_of_dispatcher, id, core);
    place_threads(world, group, core, cluster);
    if (!group.is_partial()) continue;
    world.cores[core].partial = &group;
    group.holds_port = !is_handed_over(world, id);
  }
  return true;
}

/// Lets one dispatcher place until it is busy or nothing more fits: first its partially placed work-groups. Returns
/// true if it placed something.
bool visit(World& world, std::size_t number) {
  DispatcherState& dispatcher = world.dispatchers[number];
  const auto threads_placed = [&] {
    std::uint64_t sum = 0;
    for (const Group& group : world.groups) sum += group.placed;
    return sum;
  };
  const std::uint64_t before = threads_placed();
  for (std::size_t id = dispatcher.first; id < dispatcher.end && !is_busy(world, dispatcher); ++id) {
    Group*& partial = world.cores[id].partial;
    if (partial == nullptr) continue;
    place_threads(world, *partial, id, 1);
    if (!partial->is_partial()) partial = nullptr;
  }
  if (Group* group = spread_group(world, number)) continue_spreading(world, *group);
  std::set<std::size_t> blocked;
  while (!is_busy(world, dispatcher) && spread_group(world, number) == nullptr) {
    const auto launch = next_launch(world, blocked);
    if (!launch) break;
    if (may_place(world, *launch) && has_free_port(world) && place_next(world, number, *launch)) {
      world.last_launch = launch;
      world.launches[*launch].last_placement = ++world.placements;
    } else if (!is_preparing(world, *launch) || world.rules.kernel_choice != KernelChoice::round_robin) {
      blocked.insert(*launch);
    }
  }
  return threads_placed() > before;
}

}  // namespace

void take_turn(World& world) {
  world.turn_is_due = false;
  const std::size_t count = world.dispatchers.size();
  for (bool one_placed = true; one_placed;) {
    one_placed = false;
    const std::size_t first = world.next_dispatcher;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t number = (first + i) % count;
      if (is_busy(world, world.dispatchers[number]) || !visit(world, number)) continue;
      world.next_dispatcher = (number + 1) % count;
      one_placed = true;
    }
  }
  // The next launch begins, even if all dispatchers are busy.
  const bool one_is_busy = std::any_of(world.dispatchers.begin(), world.dispatchers.end(),
                                       [&](const DispatcherState& one) { return is_busy(world, one); });
  if (!one_is_busy) return;
  if (const auto launch = next_launch(world, {})) may_place(world, *launch);
}

}  // namespace gdsim::oracle
