#include "oracle/steps.hpp"

#include "oracle/atomics.hpp"
#include "oracle/barriers.hpp"
#include "oracle/clocks.hpp"
#include "oracle/instructions.hpp"
#include "oracle/launches.hpp"
#include "oracle/memory.hpp"
#include "oracle/sharing.hpp"
#include "oracle/timing.hpp"

#include <gdsim/device/core_resources.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace gdsim::oracle {
namespace {

ThreadKey key_of(const Group& group, const Thread& thread) {
  ThreadKey key{group.launch, group.number, thread.number, group.is_first_wave};
  if (const auto& tile = thread.walk.tile()) {
    key.tile_group = (std::uint64_t{1} << 63) + (tile->step << 32) + tile->tile;
    key.is_taken_alone = tile->list->per == TileTaker::thread;
  }
  return key;
}

/// Returns the picoseconds of a piece, each of whose steps takes `time_of(step, device)`.
template <class TimeOf>
Lengths varied(const World& world, const Group& group, const Thread& thread, const Piece& piece, TimeOf time_of) {
  return lengths(world, [&](const DeviceSpec& device) {
    std::vector<RepeatedTime> parts;
    for (const Repeated& part : piece) parts.push_back({time_of(*part.step, device), part.times});
    return varied_time(device, world.workload, key_of(group, thread), parts);
  });
}

/// Returns the work-items of this thread in a full work-group: threads of smaller ones at edges count the same.
std::uint32_t work_items_of(const World& world, const Group& group, const Thread& thread) {
  const Kernel& kernel = world.kernel(group.launch);
  const Extent& local = kernel.range.local;
  const std::uint64_t all = local[0] * local[1] * local[2];
  const std::uint64_t first = std::uint64_t{thread.number} * kernel.sub_group;
  return static_cast<std::uint32_t>(std::min(first + kernel.sub_group, all) - first);
}

void be_busy(World& world, Thread& thread, const Lengths& lengths) {
  thread.state = Thread::State::busy;
  thread.until = end_of(world, world.now, lengths);
  thread.is_answered_then = false;
}

/// Returns the next weight. Threads of a kernel with a draw are first and last in turn, piece by piece of a kind,
/// except for pieces that represent several iterations.
std::int64_t next_weight(const World& world, const Group& group, Thread& thread, Shared kind, const Piece& piece) {
  const auto& tile = thread.walk.tile();
  if (tile && thread.counted_tile != std::pair(tile->step, tile->tile)) {
    thread.counted_tile = std::pair(tile->step, tile->tile);
    thread.pieces_of_tile.clear();
  }
  const bool is_odd = ++(tile ? thread.pieces_of_tile : thread.pieces)[kind] % 2 == 1;
  const auto is_first = is_served_first(world.workload, key_of(group, thread), piece.front().is_in_loop);
  if (!is_first || piece.front().times > 1) return 2;
  return *is_first == is_odd ? 3 : 1;
}

/// Returns the count of its written sectors, per byte, at the level that counts them.
Fraction written_per_byte(const DeviceSpec& device, const Memory* memory) {
  if (memory == nullptr || !memory->written || !device.written_sector) return {};
  const auto whole = static_cast<UInt128>(device.written_sector->whole.count) * memory->written->whole;
  const auto partial = static_cast<UInt128>(device.written_sector->partial.count) * memory->written->partial;
  return {whole + partial, static_cast<UInt128>(memory->bytes.count)};
}

/// Returns the bytes, per byte, of sectors written in part that no cache merges with their other parts: at most one for
/// each work-item of a sub-group.
Fraction unmerged_per_byte(const DeviceSpec& device, const Memory* memory, std::uint64_t sub_group) {
  if (memory == nullptr || !memory->written || !device.written_sector || device.written_sector->is_merged) return {};
  const std::uint64_t apart = std::min(memory->written->partial, sub_group);
  return {static_cast<UInt128>(32) * apart, static_cast<UInt128>(memory->bytes.count)};
}

/// Begins to move bytes at the rate that all others allow.
void begin_memory(World& world, Group& group, Thread& thread, const Piece& piece) {
  const auto* memory = std::get_if<Memory>(piece.front().step);
  const auto* atomic = std::get_if<Atomic>(piece.front().step);
  const std::int64_t each =
      memory ? memory->bytes.count : bytes_of_access(*atomic, work_items_of(world, group, thread));
  const std::uint64_t times = memory ? piece.front().times : atomic->accesses;
  const std::int64_t all = each * static_cast<std::int64_t>(times);
  const bool is_store = writes_only(*piece.front().step);
  const bool is_load = !is_store && is_asynchronous(*piece.front().step);
  if (is_store) world.stores.push_back({&group, &thread, {}, world.now});
  if (is_load) thread.loads.emplace_back();
  Load* load = is_store ? &world.stores.back().load : is_load ? &thread.loads.back() : nullptr;
  Share& share = load != nullptr ? load->share : thread.share;
  const auto& own = world.kernel(group.launch).in_flight;
  const auto limit = own ? own : world.device.memory->in_flight;
  share.chunk = limit && !is_load ? std::min(limit->count, each) : each;
  share.piece_bytes = all;
  share.written = written_per_byte(world.device, memory);
  share.unmerged = unmerged_per_byte(world.device, memory, world.kernel(group.launch).sub_group);
  share.multicast = memory ? memory->multicast : 1;
  share.weight = is_store ? 2 : next_weight(world, group, thread, Shared::memory, piece);
  const std::int64_t bytes = varied_bytes(world.workload, key_of(group, thread), all);
  if (load != nullptr) {
    begin_load(world, thread, *load, bytes);
  } else {
    begin_memory(world, thread, bytes);
  }
}

/// Returns the latency of the fastest memory level that all cores share.
std::optional<StepTime> latency_of_fence(const DeviceSpec& device) {
  for (const MemoryLevel& level : device.memory->levels)
    if (level.scope == "device") return level.latency;
  return std::nullopt;
}

bool has_store(const World& world, const Thread& thread) {
  return std::any_of(world.stores.begin(), world.stores.end(),
                     [&](const Store& store) { return store.thread == &thread; });
}

/// Makes the thread wait for its loads. Returns false if there are none to wait for.
bool wait_for_loads(Thread& thread, std::uint64_t left) {
  if (thread.loads.size() <= left) return false;
  thread.state = Thread::State::loading;
  thread.loads_left = left;
  thread.is_at_fence = false;
  return true;
}

/// Makes the thread wait for its loads and stores. Returns false if there are none to wait for.
bool wait_at_fence(const World& world, Thread& thread) {
  if (thread.loads.empty() && !has_store(world, thread)) return false;
  thread.state = Thread::State::loading;
  thread.loads_left = 0;
  thread.is_at_fence = true;
  return true;
}

void end_wait_for_memory(World& world, Group& group, Thread& thread) {
  if (thread.state != Thread::State::loading || thread.loads.size() > thread.loads_left) return;
  if (!thread.is_at_fence || !has_store(world, thread)) begin_next_step(world, group, thread);
}

/// Begins a step in SLM: the banks serve all its accesses, then the last one takes its latency, which varies as well.
void begin_slm(World& world, Group& group, Thread& thread, const Piece& piece) {
  const SlmAccess& access = *world.device.slm_access;
  const auto service = [&](const Step& step, const DeviceSpec&) -> StepTime {
    if (const auto* atomic = std::get_if<Atomic>(&step))
      return slm_time_of_access(*atomic, work_items_of(world, group, thread), world.device);
    const auto& slm = std::get<Slm>(step);
    const std::uint64_t each = cycles_per_access(access, work_items_of(world, group, thread), slm.stride, slm.bytes);
    return {Decimal::whole(slm.accesses * each), StepTime::Unit::cycles};
  };
  Piece served = piece;
  for (Repeated& part : served)
    if (const auto* atomic = std::get_if<Atomic>(part.step)) part.times *= atomic->accesses;
  thread.share.weight = next_weight(world, group, thread, Shared::slm, piece);
  begin_sharing(world, thread, Shared::slm, varied(world, group, thread, served, service));
  if (!access.latency.amount.is_zero())
    thread.share.tail =
        varied(world, group, thread, piece, [&](const Step&, const DeviceSpec&) { return access.latency; });
}

/// Begins the works of instructions: on issue slots, on pipes, and on L1, whose last access takes its latency, which
/// varies as well.
void begin_issue(World& world, Group& group, Thread& thread, const Piece& piece) {
  const auto& issue = std::get<IssueSlots>(*piece.front().step);
  const std::int64_t weight = next_weight(world, group, thread, Shared::issue, piece);
  std::vector<Work> works;
  const auto add = [&](Shared kind, const std::string& pipe, auto time_of) {
    Work& work = works.emplace_back();
    work.share.kind = kind;
    work.share.pipe = pipe;
    work.share.weight = weight;
    work.share.work = lengths(world, [&](const DeviceSpec& device) {
      return varied_time(device, world.workload, key_of(group, thread), {time_of(device)});
    });
  };
  const auto times_on = [&](const DeviceSpec& device) {
    return times_of_issue(issue, world.kernel(group.launch), device, piece.front().times);
  };
  for (const auto& one : times_on(world.device))
    add(Shared::issue, one.first, [&](const DeviceSpec& device) { return times_on(device).at(one.first); });
  if (!issue.l1.empty())
    add(Shared::slm, world.device.l1->slm == SlmPlace::separate ? kOwnL1 : "",
        [&](const DeviceSpec& device) { return time_of_l1(issue, device); });
  begin_works(world, thread, works);
  if (!issue.l1.empty() && !world.device.l1->latency.amount.is_zero())
    thread.share.tail =
        varied(world, group, thread, piece, [&](const Step&, const DeviceSpec&) { return world.device.l1->latency; });
}

/// Returns true if no more stores are under way from the core than it has contexts, those begun now not counted.
bool has_room_for_stores(const World& world, std::size_t core) {
  const auto under_way = std::count_if(world.stores.begin(), world.stores.end(), [&](const Store& store) {
    return store.thread->core == core && store.begun < world.now;
  });
  return under_way <= static_cast<std::ptrdiff_t>(world.device.contexts_per_core());
}

/// Launches the work-group's child of this number, unless it has been launched. Returns the launch of the child.
std::size_t launch_child(World& world, Group& group, std::size_t child) {
  const auto& children = world.launches[group.launch].children;
  const auto found = std::find_if(children.begin(), children.end(), [&](std::size_t id) {
    const LaunchParent& parent = *world.launch(id).parent();
    return number_of(parent.work_group) == group.number && parent.child == child;
  });
  const ChildrenBegin begins = world.kernel(group.launch).children_begin;
  if (begins == ChildrenBegin::after_parent) {
    std::vector<std::size_t>& late = world.launches[group.launch].late_children;
    if (std::find(late.begin(), late.end(), *found) == late.end()) late.push_back(*found);
  } else if (begins == ChildrenBegin::at_wait) {
    group.held_children.push_back(*found);
  } else if (!world.launches[*found].submitted) {
    world.launches[*found].submitted = world.now;
  }
  return *found;
}

/// Submits the children that the work-group has held back.
void submit_held_children(World& world, Group& group) {
  for (const std::size_t child : std::exchange(group.held_children, {}))
    if (!world.launches[child].submitted) world.launches[child].submitted = world.now;
}

/// Returns the number, among the children of its program, of the child that a step launches.
std::size_t child_number(const Program& program, const Step* step) {
  std::size_t number = 0;
  for (const Step& other : program) {
    if (&other == step) return number;
    if (std::holds_alternative<LaunchChild>(other)) ++number;
  }
  return number;
}

/// Returns true if the thread has a grid barrier in its program, outside of loops that it skips.
bool comes_to_grid(const Program& program, std::uint32_t thread) {
  return std::any_of(program.begin(), program.end(), [&](const Step& step) {
    if (const auto* loop = std::get_if<Loop>(&step)) return comes_to_grid(loop->body, thread);
    if (const auto* only = std::get_if<Only>(&step))
      return takes_part(*only, thread) && comes_to_grid(only->body, thread);
    return std::holds_alternative<GridBarrier>(step);
  });
}

/// Records an arrival: a phase is over when all threads of all work-groups have arrived, placed or not.
void arrive_at_grid(World& world, std::size_t launch, const Lengths& cost) {
  std::uint64_t groups = 0;
  std::uint64_t phase = ~std::uint64_t{0};
  for (const Group& group : world.groups) {
    if (group.launch != launch) continue;
    ++groups;
    for (const Thread& thread : group.threads)
      if (comes_to_grid(world.kernel(launch).program, thread.number)) phase = std::min(phase, thread.grid_arrivals);
  }
  LaunchState& state = world.launches[launch];
  if (groups < state.groups_total || state.grid_opens.size() >= phase) return;
  if (world.launch(launch).as_kernel().is_part_of_collective) {
    if (!state.joined) state.joined = world.now;  // it opens when the exchange has ended
  } else {
    state.grid_opens.push_back(end_of(world, world.now, cost));
  }
}

/// Triggers for the work-group, once.
void trigger(World& world, Group& group) {
  LaunchState& state = world.launches[group.launch];
  if (std::exchange(group.has_triggered, true)) return;
  if (++state.groups_triggered == state.groups_total) state.triggered = world.now;
}

/// Returns the time when the thread continues after a grid barrier, or after the wait for preceding launches.
std::optional<Time> end_of_outer_wait(const World& world, const Group& group, const Thread& thread) {
  const LaunchState& state = world.launches[group.launch];
  if (thread.waits_for_grid)
    return state.grid_opens.size() < thread.grid_arrivals ? std::nullopt : state.grid_opens[thread.grid_arrivals - 1];
  Time last = world.now;
  for (const std::size_t other : state.triggers) {
    if (!world.launches[other].ended) return std::nullopt;
    last = std::max(last, *world.launches[other].ended);
  }
  return last;
}

/// Waits for the other threads before a take, requests a tile, or pays for one.
bool begin_take(World& world, Group& group, Thread& thread, const Tiles& tiles, const Repeated& piece) {
  if (piece.of_tiles == Repeated::OfTiles::cost) {
    be_busy(world, thread, lengths_of(world, tiles.cost));
  } else if (piece.of_tiles == Repeated::OfTiles::barrier) {
    const std::string name = tile_barrier_name(tiles);
    wait_for_phase(thread, name, arrive(world, group, thread, name), Cost::barrier);
  } else {
    thread.state = Thread::State::requesting;
    thread.requests = &tiles;
  }
  return true;
}

/// Begins a piece of work. Returns false if it takes no time, so that the thread continues.
bool begin(World& world, Group& group, Thread& thread, const Piece& piece) {
  const Step& step = *piece.front().step;
  if (const auto* tiles = std::get_if<Tiles>(&step)) return begin_take(world, group, thread, *tiles, piece.front());
  const auto time_of_compute = [](const Step& part, const DeviceSpec&) { return std::get<Compute>(part).time; };
  if (std::holds_alternative<Compute>(step)) {
    be_busy(world, thread, varied(world, group, thread, piece, time_of_compute));
  } else if (std::holds_alternative<IssueSlots>(step)) {
    begin_issue(world, group, thread, piece);
  } else if (std::holds_alternative<Fence>(step)) {
    if (!piece.front().is_second_part) return wait_at_fence(world, thread);
    const auto latency = latency_of_fence(world.device);
    if (!latency) return false;
    be_busy(world, thread,
            varied(world, group, thread, piece, [&](const Step&, const DeviceSpec&) { return *latency; }));
  } else if (piece.front().is_second_part) {
    const auto at_address = [&](const Step& part, const DeviceSpec& device) {
      return time_at_address(std::get<Atomic>(part), work_items_of(world, group, thread), device);
    };
    thread.share.weight = 2;
    begin_sharing(world, thread, Shared::atomics, varied(world, group, thread, piece, at_address));
  } else if (std::holds_alternative<Memory>(step) || is_atomic(step, AtomicSpace::global)) {
    begin_memory(world, group, thread, piece);
    if (!writes_only(step)) return !is_asynchronous(step);
    if (has_room_for_stores(world, thread.core)) return false;
    thread.state = Thread::State::storing;
  } else if (const auto* loads = std::get_if<WaitMemory>(&step)) {
    return wait_for_loads(thread, loads->outstanding);
  } else if (std::holds_alternative<Slm>(step) || is_atomic(step, AtomicSpace::slm)) {
    begin_slm(world, group, thread, piece);
  } else if (const auto* barrier = std::get_if<Barrier>(&step)) {
    wait_for_phase(thread, barrier->name, arrive(world, group, thread, barrier->name), Cost::barrier);
  } else if (const auto* signal = std::get_if<Signal>(&step)) {
    if (signal->index)
      signal_flag(world, group, thread, flag_name(signal->name, *signal->index));
    else
      arrive(world, group, thread, signal->name);
    return false;
  } else if (const auto* wait = std::get_if<Wait>(&step)) {
    return wait_for_signal(world, group, thread, *wait);
  } else if (const auto* grid = std::get_if<GridBarrier>(&step)) {
    thread.state = Thread::State::waiting;
    thread.waits_for_grid = true;
    ++thread.grid_arrivals;
    arrive_at_grid(world, group.launch, lengths_of(world, grid->cost));
  } else if (std::holds_alternative<Trigger>(step)) {
    trigger(world, group);
    return false;
  } else if (std::holds_alternative<WaitDependencies>(step)) {
    thread.state = Thread::State::waiting;
    thread.waits_for_dependencies = true;
  } else if (const auto* child = std::get_if<LaunchChild>(&step)) {
    const std::size_t id =
        launch_child(world, group, child_number(program_of(world.kernel(group.launch), group.number), &step));
    if (child->wait == ChildWait::no) return false;
    submit_held_children(world, group);
    thread.state = Thread::State::waiting;
    thread.child = id;
  }
  return true;
}

/// Returns true if another launched kernel names the list, too.
bool is_shared(const Workload& workload, const Tiles& tiles) {
  const auto is_launched = [&](const Kernel& kernel) {
    return std::any_of(workload.launches.begin(), workload.launches.end(), [&](const Launch& launch) {
      return launch.is_kernel() && &workload.kernels[index_of(launch.as_kernel().kernel)] == &kernel;
    });
  };
  return std::count_if(workload.kernels.begin(), workload.kernels.end(), [&](const Kernel& kernel) {
           return is_launched(kernel) &&
                  std::any_of(kernel.program.begin(), kernel.program.end(), [&](const Step& step) {
                    const auto* other = std::get_if<Tiles>(&step);
                    return other != nullptr && other->list == tiles.list;
                  });
         }) > 1;
}

void release_context(World& world, Group& group, Thread& thread) {
  release(world, group, thread.core, &thread);
  thread.state = Thread::State::gone;
  thread.left = world.now;
}

/// Releases everything that the work-group still holds.
void end_group(World& world, Group& group) {
  for (Thread& thread : group.threads)
    if (thread.state == Thread::State::ended) release_context(world, group, thread);
  for (const std::size_t core : group.cores) release(world, group, core, nullptr);
  group.ended = world.now;
  trigger(world, group);
  if (changes_working_set(world, group, 0)) working_set_changes(world);
  submit_held_children(world, group);
  ++world.launches[group.launch].groups_ended;
  end_if_done(world, group.launch);
}

}  // namespace

Group& begin_group(World& world, std::size_t launch, std::uint64_t number, const Need& need) {
  Group& group = world.groups.emplace_back();
  group.launch = launch;
  group.number = number;
  group.need = need;
  group.began = world.now;
  const auto& slm = world.device.slm_access;
  group.threads.resize(need.threads);
  for (std::uint32_t i = 0; i < need.threads; ++i) {
    group.threads[i].number = i;
    const std::uint64_t groups = world.launches[launch].groups_total;
    group.threads[i].walk = Walk(program_of(world.kernel(launch), number), i, slm && !slm->latency.amount.is_zero(),
                                 {number, groups}, {number * need.threads + i, groups * need.threads});
  }
  LaunchState& state = world.launches[launch];
  ++state.groups_begun;
  state.numbers_begun.insert(number);
  if (!state.first_dispatched) state.first_dispatched = world.now;
  if (!state.begun) state.begun = world.now;
  if (!world.has_begun) world.start = world.now;
  world.has_begun = true;
  return group;
}

void begin_next_step(World& world, Group& group, Thread& thread) {
  thread.waits_for_grid = thread.waits_for_dependencies = false;
  for (Piece piece = thread.walk.next(); !piece.empty(); piece = thread.walk.next())
    if (begin(world, group, thread, piece)) return;
  be_busy(world, thread, Lengths(world.device_by_clock.size(), 0));
}

void end_thread(World& world, Group& group, Thread& thread) {
  thread.state = Thread::State::ended;
  if (world.device.release == Release::thread) release_context(world, group, thread);
  const bool all_ended = std::all_of(group.threads.begin(), group.threads.end(), [](const Thread& other) {
    return other.state == Thread::State::ended || other.state == Thread::State::gone;
  });
  if (all_ended) end_group(world, group);
}

/// Returns true if both take a tile together: threads of a work-group, or the same single thread.
bool are_together(const std::pair<Group*, Thread*>& a, const std::pair<Group*, Thread*>& b) {
  return a.first == b.first && a.second->requests == b.second->requests &&
         a.second->requests->per == TileTaker::work_group;
}

bool tiles_are_given(World& world) {
  std::vector<std::pair<Group*, Thread*>> requesting;
  world.for_each_resident([&](Group& group, Thread& thread) {
    if (thread.state == Thread::State::requesting) requesting.push_back({&group, &thread});
  });
  std::sort(requesting.begin(), requesting.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.first->launch, a.first->number, a.second->number) <
           std::tuple(b.first->launch, b.first->number, b.second->number);
  });
  std::optional<std::uint64_t> tile;
  for (std::size_t i = 0; i < requesting.size(); ++i) {
    const auto& [group, thread] = requesting[i];
    const Tiles& tiles = *thread->requests;
    if (i == 0 || !are_together(requesting[i - 1], requesting[i])) {
      std::uint64_t& taken =
          world.tiles_taken[{is_shared(world.workload, tiles) ? "" : world.launch(group->launch).name, tiles.list}];
      tile = taken < tiles.count ? std::optional(taken++) : std::nullopt;
    }
    thread->walk.answer(tile);
    be_busy(world, *thread, lengths_of(world, tiles.cost));
  }
  return !requesting.empty();
}

bool has_load_that_is_back(const World& world, const Thread& thread) {
  return !thread.loads.empty() && thread.loads.front().back && *thread.loads.front().back <= world.now;
}

void end_load(World& world, Group& group, Thread& thread) {
  thread.loads.pop_front();
  end_wait_for_memory(world, group, thread);
}

bool a_store_ends(World& world) {
  const auto ended = std::find_if(world.stores.begin(), world.stores.end(),
                                  [&](const Store& store) { return store.load.back && *store.load.back <= world.now; });
  if (ended == world.stores.end()) return false;
  const Store store = *ended;
  world.stores.erase(ended);
  const bool is_last = std::none_of(world.stores.begin(), world.stores.end(),
                                    [&](const Store& other) { return other.group->launch == store.group->launch; });
  if (const auto latency = latency_of_fence(world.device); latency && is_last)
    world.launches[store.group->launch].acknowledged = end_of(world, world.now, lengths_of(world, *latency));
  end_wait_for_memory(world, *store.group, *store.thread);
  end_if_done(world, store.group->launch);
  world.turn_is_due = world.turn_is_due || is_last;  // others may have waited for its end
  return true;
}

bool may_go_on_after_store(const World& world, const Thread& thread) {
  return thread.state == Thread::State::storing && has_room_for_stores(world, thread.core);
}

std::optional<Time> end_of_wait(const World& world, const Group& group, const Thread& thread) {
  if (thread.waits_for_grid || thread.waits_for_dependencies) return end_of_outer_wait(world, group, thread);
  if (thread.child) return world.launches[*thread.child].ended;
  return opening_for(world, group, thread);
}

}  // namespace gdsim::oracle
