#include "oracle/naive.hpp"

#include "oracle/clocks.hpp"
#include "oracle/copies.hpp"
#include "oracle/dispatch.hpp"
#include "oracle/launches.hpp"
#include "oracle/power.hpp"
#include "oracle/recording.hpp"
#include "oracle/sharing.hpp"
#include "oracle/steps.hpp"
#include "oracle/timing.hpp"

#include <algorithm>
#include <optional>

// Time. What happens at one instant happens in the order of the functions in `one_thing_happens`: after each thing that
// happened, the first that has something takes place. Free before you place; place last.

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

bool is_over(const World& world, const Thread& thread) {
  return thread.state == Thread::State::busy && thread.until == world.now;
}

bool a_thread_ends(World& world) {
  return with_first_thread(
      world, [&](const Group&, const Thread& thread) { return is_over(world, thread) && thread.walk.is_over(); },
      end_thread);
}

bool a_copy_ends(World& world) {
  for (std::size_t id = 0; id < world.launches.size(); ++id)
    if (end_of_copy(world, id) == world.now) {
      end_copy(world, id);
      return true;
    }
  return false;
}

bool a_step_ends(World& world) {
  return with_first_thread(
      world, [&](const Group&, const Thread& thread) { return is_over(world, thread); }, begin_next_step);
}

/// The oldest of a thread.
bool a_load_ends(World& world) {
  return with_first_thread(
      world, [&](const Group&, const Thread& thread) { return has_load_that_is_back(world, thread); }, end_load);
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
      world.turn_is_due = true;
      return true;
    }
  return false;
}

bool a_turn_is_taken(World& world) {
  begin_copies(world);
  if (!world.turn_is_due) return false;
  take_turn(world);
  return true;
}

bool one_thing_happens(World& world) {
  while (end_of_submission(world) == world.now) end_submission(world);
  if (flush_of_batch(world) == world.now) send_batch(world);
  if (shares_are_used_up(world)) return true;
  follow_clock(world);
  return recovers(world) || a_thread_ends(world) || a_copy_ends(world) || a_load_ends(world) || a_step_ends(world) ||
         a_wait_ends(world) || tiles_are_given(world) || a_launch_arrives(world) || a_turn_is_taken(world);
}

/// The next instant at which something happens.
std::optional<Time> next_instant(World& world) {
  std::optional<Time> next = end_of_submission(world);
  const auto consider = [&](std::optional<Time> time) {
    if (time && (!next || *time < *next)) next = time;
  };
  consider(flush_of_batch(world));
  consider(next_timing(world));
  bool is_something_shared = false;
  for (std::size_t id = 0; id < world.launches.size(); ++id) {
    consider(arrival_of(world, id));
    consider(end_of_copy(world, id));
  }
  world.for_each_resident([&](Group& group, Thread& thread) {
    if (thread.state == Thread::State::busy) consider(thread.until);
    if (thread.state == Thread::State::sharing) {
      is_something_shared = true;
      if (!thread.pipe || !thread.pipe->slots_done) consider(end_of_share(thread.share));
      if (thread.pipe && !thread.pipe->done) consider(end_of_share(thread.pipe->share));
    }
    if (thread.state == Thread::State::waiting) consider(end_of_wait(world, group, thread));
    for (const Load& load : thread.loads) {
      is_something_shared = is_something_shared || !load.back;
      const Time back = load.back ? *load.back : end_of_share(load.share);
      if (back > world.now) consider(back);
    }
  });
  if (is_something_shared) consider(next_clock_change(world));
  return next;
}

/// A run under the clocks that the device has at given times: its tables, what it held, and when it ended.
struct GivenClocksRun {
  Tables tables;
  std::vector<DeviceRow> rows;
  Time end = 0;
};

GivenClocksRun run_under_given_clocks(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload) {
  World world{device, rules, workload};
  world.cores.resize(device.cores);
  for (Core& core : world.cores) core.engines.resize(device.engines_per_core);
  prepare_clocks(world);
  prepare_launches(world);
  prepare_dispatchers(world);
  Recording recording;
  const auto is_over = [&] {
    return std::all_of(world.launches.begin(), world.launches.end(),
                       [](const LaunchState& launch) { return launch.ended.has_value(); });
  };
  while (!is_over()) {
    const auto next = next_instant(world);
    if (!next) break;
    world.now = *next;
    recording.time_passes(world);
    if (brings_a_turn(world)) world.turn_is_due = true;
    while (one_thing_happens(world)) world.end = world.now;
    recording.take_down(world);
  }
  return {recording.tables(world), recording.device_rows(), world.end};
}

}  // namespace

Tables naive_run(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload) {
  DeviceSpec given = device;
  given.power.reset();
  while (true) {
    GivenClocksRun run = run_under_given_clocks(given, rules, workload);
    if (!device.power) return std::move(run.tables);
    const auto change = first_missing_change(*device.power, given, run.rows, run.end);
    if (!change) return std::move(run.tables);
    given.clock_changes.push_back(*change);
  }
}

}  // namespace gdsim::oracle
