#include "oracle/dispatch.hpp"

#include "oracle/kernel_choice.hpp"
#include "oracle/placement.hpp"
#include "oracle/steps.hpp"

#include <algorithm>

namespace gdsim::oracle {
namespace {

bool uses_barrier_or_slm(const Kernel& kernel) {
  return has_barrier(kernel.program) || kernel.needs.slm.total.count > 0;
}

/// `spread` is for work-groups without barrier and SLM; others are placed whole.
Admission admission_of(const World& world, std::size_t launch) {
  const Admission admission = world.rules.admission;
  return admission == Admission::spread && uses_barrier_or_slm(world.kernel(launch)) ? Admission::whole : admission;
}

/// It is handed to its core's own dispatcher while it is partial, and holds no port.
bool is_handed_over(const World& world, std::size_t launch) {
  if (world.rules.handover == Handover::barrier_or_slm) return uses_barrier_or_slm(world.kernel(launch));
  return world.rules.handover == Handover::always;
}

bool has_free_port(const World& world) {
  if (!world.rules.ports.count) return true;
  const auto held =
      std::count_if(world.groups.begin(), world.groups.end(), [](const Group& group) { return group.holds_port; });
  return static_cast<std::uint64_t>(held) < *world.rules.ports.count;
}

bool is_on(const Group* group, std::size_t core) {
  return group != nullptr && std::find(group->cores.begin(), group->cores.end(), core) != group->cores.end();
}

/// The cores that could take a work-group, or the rest of `begun`, which is spread.
std::vector<std::size_t> candidates_for(const World& world, std::size_t launch, const Need& need, const Group* begun) {
  std::vector<std::size_t> candidates;
  for (const std::size_t id : cores_of(world, launch)) {
    const Core& core = world.cores[id];
    const std::uint64_t enough = admission_of(world, launch) == Admission::whole ? need.threads : 1;
    if (core.partial == nullptr && may_use(world, launch, core, need) &&
        (is_on(begun, id) || group_fits(world.device, core, need)) && thread_room(world.device, core, need) >= enough)
      candidates.push_back(id);
  }
  return candidates;
}

/// Places as many threads of the work-group as the core has room for.
void place_threads(World& world, Group& group, std::size_t id) {
  Core& core = world.cores[id];
  LaunchState& launch = world.launches[group.launch];
  if (!is_on(&group, id)) {
    group.cores.push_back(id);
    take_group(core, group);
  }
  std::vector<Thread*> placed;
  while (group.is_partial()) {
    const auto engine = engine_for(world.device, core, group.need);
    if (!engine) break;
    Thread& thread = group.threads[group.placed++];
    take_thread(core, *engine, group.need);
    thread.core = id;
    thread.engine = *engine;
    thread.state = Thread::State::busy;
    placed.push_back(&thread);
  }
  if (group.first_placed == 0) group.first_placed = group.placed;
  if (!group.is_partial()) {
    group.filled = world.now;
    group.holds_port = false;
    if (!has_threads_left(world, group.launch)) launch.fully_dispatched = world.now;
  }
  for (Thread* thread : placed) begin_next_step(world, group, *thread);
}

/// Places the rest of the spread work-group wherever there is room.
void go_on_spreading(World& world, Group& group) {
  while (group.is_partial()) {
    const auto candidates = candidates_for(world, group.launch, group.need, &group);
    if (candidates.empty()) return;
    place_threads(world, group, choose_core(world, candidates, group));
  }
}

/// The spread work-group of which threads are left: no other is placed before them.
Group* spread_group(World& world) {
  for (Group& group : world.groups)
    if (group.is_partial() && admission_of(world, group.launch) == Admission::spread) return &group;
  return nullptr;
}

/// The launch's next work-group, if a core can take it.
bool place_next(World& world, std::size_t id) {
  LaunchState& launch = world.launches[id];
  const Kernel& kernel = world.kernel(id);
  const std::uint64_t number = launch.groups_begun;
  const Need need = need_of(world.device, kernel, kernel.threads_of(WorkGroupId{number}));
  const auto candidates = candidates_for(world, id, need, nullptr);
  if (candidates.empty()) return false;
  Group& group = begin_group(world, id, number, need);
  const std::size_t core = choose_core(world, candidates, group);
  place_threads(world, group, core);
  if (!group.is_partial()) return true;
  if (admission_of(world, id) == Admission::spread) {
    go_on_spreading(world, group);
  } else {
    world.cores[core].partial = &group;
    group.holds_port = !is_handed_over(world, id);
  }
  return true;
}

}  // namespace

void take_turn(World& world) {
  world.turn_is_due = false;
  for (std::size_t id = 0; id < world.cores.size(); ++id) {
    Group*& partial = world.cores[id].partial;
    if (partial == nullptr) continue;
    place_threads(world, *partial, id);
    if (!partial->is_partial()) partial = nullptr;
  }
  if (Group* group = spread_group(world)) go_on_spreading(world, *group);

  std::set<std::size_t> blocked;
  while (has_free_port(world) && spread_group(world) == nullptr) {
    const auto launch = next_launch(world, blocked);
    if (!launch) break;
    if (place_next(world, *launch))
      world.last_launch = launch;
    else
      blocked.insert(*launch);
  }
}

}  // namespace gdsim::oracle
