#include "oracle/instants.hpp"

#include "oracle/clocks.hpp"
#include "oracle/copies.hpp"
#include "oracle/dispatch.hpp"
#include "oracle/launches.hpp"
#include "oracle/sharing.hpp"
#include "oracle/standstill.hpp"
#include "oracle/steps.hpp"
#include "oracle/timing.hpp"

#include <array>
#include <optional>

namespace gdsim::oracle {
namespace {

/// The first thread for which `is_it` holds.
template <class Predicate>
bool with_first_thread(World& world, Predicate is_it, void (*act)(World&, Group&, Thread&)) {
  for (Group& group : world.groups)
    if (!group.ended)
      for (Thread& thread : group.threads)
        if (is_it(group, thread)) {
          act(world, group, thread);
          return true;
        }
  return false;
}

bool step_is_over(const World& world, const Thread& thread) {
  return thread.state == Thread::State::busy && thread.until == world.now;
}

bool a_thread_ends(World& world) {
  return with_first_thread(
      world, [&](const Group&, const Thread& thread) { return step_is_over(world, thread) && thread.walk.is_over(); },
      end_thread);
}

bool recovers_under_clock(World& world) {
  follow_clock(world);
  return recovers(world);
}

/// Ends a launch whose last store is acknowledged.
bool a_launch_is_acknowledged(World& world) {
  for (std::size_t id = 0; id < world.launches.size(); ++id)
    if (acknowledgement_of(world, id) == world.now) {
      end_if_done(world, id);
      world.turn_is_due = true;
      return true;
    }
  return false;
}

bool a_copy_ends(World& world) {
  for (std::size_t id = 0; id < world.launches.size(); ++id)
    if (end_of_copy(world, id) == world.now) {
      end_copy(world, id);
      return true;
    }
  return false;
}

bool a_launch_ends(World& world) { return a_copy_ends(world) || a_launch_is_acknowledged(world); }

bool a_step_ends(World& world) {
  return with_first_thread(
      world, [&](const Group&, const Thread& thread) { return step_is_over(world, thread); }, begin_next_step);
}

/// Ends a store whose bytes were served, or the oldest load of a thread if it is back. Then threads go on whose core
/// has room for stores again.
bool a_load_ends(World& world) {
  return a_store_ends(world) ||
         with_first_thread(
             world, [&](const Group&, const Thread& thread) { return has_load_that_is_back(world, thread); },
             end_load) ||
         with_first_thread(
             world, [&](const Group&, const Thread& thread) { return may_go_on_after_store(world, thread); },
             begin_next_step);
}

bool a_wait_ends(World& world) {
  return with_first_thread(
      world,
      [&](const Group& group, const Thread& thread) {
        const bool waits = thread.state == Thread::State::waiting;
        const auto end = waits ? end_of_wait(world, group, thread) : std::nullopt;
        return end && *end <= world.now;
      },
      begin_next_step);
}

bool a_launch_arrives(World& world) {
  for (std::size_t id = 0; id < world.launches.size(); ++id)
    if (arrival_of(world, id) == world.now) {
      world.launches[id].ready = world.now;
      note_overlapped(world, id);
      if (world.launch(id).is_link_copy()) begin_copy(world, id);
      world.turn_is_due = true;
      return true;
    }
  return false;
}

bool a_turn_is_taken(World& world) {
  begin_copies(world);
  if (!world.turn_is_due || !world.has_device || world.is_drained) return false;
  take_turn(world);
  return true;
}

/// The earlier of both.
std::optional<Time> earlier(std::optional<Time> a, std::optional<Time> b) { return !a || (b && *b < *a) ? b : a; }

}  // namespace

void prepare(World& world) {
  world.cores.resize(world.device.cores);
  for (Core& core : world.cores) core.engines.resize(world.device.engines_per_core);
  prepare_clocks(world);
  prepare_launches(world);
  prepare_dispatchers(world);
}

bool come_to(World& world, Time now) {
  if (!world.has_device) put_off(world, now);
  world.now = now;
  const bool brings_one = world.has_device && brings_a_turn(world);
  world.turn_is_due = world.turn_is_due || brings_one;
  return brings_one;
}

bool one_thing_happens(World& world) {
  host_submits(world);
  if (!world.has_device) return a_copy_ends(world) || a_launch_arrives(world) || a_turn_is_taken(world);
  for (std::size_t rank = 0; rank < kRanks; ++rank)
    if (thing_of_rank_happens(world, rank)) return true;
  return false;
}

void host_submits(World& world) {
  while (end_of_submission(world) == world.now) end_submission(world);
  if (flush_of_batch(world) == world.now) send_batch(world);
}

bool thing_of_rank_happens(World& world, std::size_t rank) {
  constexpr std::array<bool (*)(World&), kRanks> things{
      shares_are_used_up, recovers_under_clock, a_thread_ends,   a_launch_ends,    a_load_ends,
      a_step_ends,        a_wait_ends,          tiles_are_given, a_launch_arrives, a_turn_is_taken};
  return things[rank](world);
}

std::optional<Time> next_instant_of_host(const World& world) {
  std::optional<Time> next = earlier(end_of_submission(world), flush_of_batch(world));
  for (std::size_t id = 0; id < world.launches.size(); ++id)
    next = earlier(next, earlier(arrival_of(world, id), end_of_copy(world, id)));
  return next;
}

std::optional<Time> next_instant_of_device(World& world) {
  std::optional<Time> next = next_timing(world);
  const auto consider = [&](std::optional<Time> time) { next = earlier(next, time); };
  bool is_something_shared = false;
  const auto consider_load = [&](const Load& load) {
    is_something_shared = is_something_shared || !load.back;
    const Time back = load.back ? *load.back : end_of_share(load.share);
    if (back > world.now) consider(back);
  };
  world.for_each_resident([&](Group& group, Thread& thread) {
    if (thread.state == Thread::State::busy) consider(thread.until);
    if (thread.state == Thread::State::sharing) {
      is_something_shared = true;
      if (thread.works.empty()) consider(end_of_share(thread.share));
      for (const Work& work : thread.works)
        if (!work.done) consider(end_of_share(work.share));
    }
    if (thread.state == Thread::State::waiting) consider(end_of_wait(world, group, thread));
    for (const Load& load : thread.loads) consider_load(load);
  });
  for (const Store& store : world.stores) consider_load(store.load);
  for (std::size_t id = 0; id < world.launches.size(); ++id) consider(acknowledgement_of(world, id));
  if (is_something_shared) consider(next_clock_change(world));
  return next;
}

std::optional<Time> next_instant(World& world) {
  const auto of_host = next_instant_of_host(world);
  return world.has_device ? earlier(of_host, next_instant_of_device(world)) : of_host;
}

bool is_over(const World& world) {
  for (std::size_t id = 0; id < world.launches.size(); ++id)
    if (!world.launches[id].is_foreign && !world.launch(id).is_remote() && !world.launches[id].ended) return false;
  return true;
}

}  // namespace gdsim::oracle
