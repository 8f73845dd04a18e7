#pragma once

#include "oracle/fit.hpp"
#include "oracle/program.hpp"

#include <gdsim/base/arithmetic.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

// The state of the oracle at one instant. Plain data: the rules are functions in the other files.

namespace gdsim::oracle {

/// Picoseconds.
using Time = std::int64_t;
/// A duration under each of the device's clocks, see clocks.hpp.
using Lengths = std::vector<Time>;

/// The kind of a shared resource, and the remaining work of a thread on it: see sharing.hpp.
enum class Shared : std::uint8_t { issue, memory, slm, atomics };
struct Share {
  Shared kind{};
  Int128 left = 0;               ///< at `since`, in 2^-20 of a picosecond or byte
  Fraction rate;                 ///< picoseconds or bytes per picosecond
  Time since = 0;                ///< when `rate` began
  Time begun = 0;                ///< when it began to share
  Int128 served = 0;             ///< at `since`, under all clocks
  Lengths work;                  ///< of all but memory: the whole work
  Lengths tail;                  ///< banks: the time from the end of the work to the end of the step
  std::int64_t chunk = 0;        ///< memory: bytes that are requested at a time, without a factor
  std::int64_t piece_bytes = 0;  ///< memory: of the whole piece, without a factor
  /// Memory: the count of the sectors that a step writes, per byte of the step.
  Fraction written;
  Fraction unmerged;            ///< memory: bytes per byte of written sectors that go to the last level by themselves
  std::uint32_t multicast = 1;  ///< memory: work-groups that one read serves
  std::int64_t weight = 2;      ///< its share in proportion to that of others
  std::string pipe;             ///< issue: the pipe that it shares; empty: the issue slots
};

/// One of several works of a step, which ends with the last of them.
struct Work {
  Share share;
  std::optional<Time> done;
};

/// An asynchronous load, or a store, that has not ended.
struct Load {
  Share share;
  std::optional<Time> back;  ///< when it is back; set once its work is finished
};

struct Thread {
  enum class State : std::uint8_t {
    unplaced,
    busy,        ///< until `until`
    sharing,     ///< until the work of `share` is finished
    waiting,     ///< for a barrier or a child
    requesting,  ///< for a tile, at this instant
    loading,     ///< until no more than `loads_left` of `loads` are outstanding, at a fence also no store
    storing,     ///< until fewer stores of its core are under way
    ended,       ///< but its context is not free yet
    gone
  };
  State state = State::unplaced;
  std::uint32_t number = 0;  ///< in its work-group
  std::size_t core = 0;
  std::size_t engine = 0;
  Walk walk;  ///< its position in its program
  Time until = 0;
  bool is_answered_then = false;  ///< busy in the latency of memory
  Time placed = 0;
  Time left = 0;  ///< its context
  Share share;
  std::vector<Work> works;                         ///< of a step with several; `share` has only their tail
  std::deque<Load> loads;                          ///< outstanding, in the order in which it began them
  std::uint64_t loads_left = 0;                    ///< loads for which it need not wait
  bool is_at_fence = false;                        ///< it waits for its stores, too
  std::map<Shared, std::uint64_t> pieces;          ///< begun pieces, by their shared resource, without those of tiles
  std::map<Shared, std::uint64_t> pieces_of_tile;  ///< the same in the body of the tile that it is at
  std::optional<std::pair<std::uint64_t, std::uint64_t>> counted_tile;  ///< of which these are: step and tile
  const Tiles* requests = nullptr;
  std::map<std::string, std::uint64_t> arrivals;  ///< number of its arrivals, by name of the barrier
  std::map<std::string, std::uint64_t> waits;     ///< number of its waits for a signal, by name
  std::string barrier;                            ///< that it waits for
  std::uint64_t phase = 0;                        ///< of that barrier
  bool adds_barrier_cost = false;                 ///< the device's barrier cost
  std::optional<std::size_t> child;               ///< the launch that it waits for
  std::uint64_t grid_arrivals = 0;                ///< at its launch's grid barrier
  bool waits_for_grid = false;
  bool waits_for_dependencies = false;

  bool is_resident() const { return state != State::unplaced && state != State::gone; }
  bool is_running() const {
    return state == State::busy || state == State::sharing || state == State::loading || state == State::storing ||
           state == State::requesting;
  }
};

struct Group {
  std::size_t launch = 0;
  std::uint64_t number = 0;
  Need need;
  std::vector<Thread> threads;
  std::uint32_t placed = 0;
  std::uint32_t first_placed = 0;  ///< threads that were placed at first
  std::vector<std::size_t> cores;  ///< on which it holds something, in the order in which it was placed on them
  bool holds_port = false;
  bool is_first_wave = false;  ///< on its first core, no thread of its launch had ended when it was placed
  std::map<std::string, std::vector<Time>> completed;  ///< by barrier: when all had arrived, by phase
  std::vector<bool> launched;                          ///< by child
  std::vector<std::size_t> held_children;              ///< launched, to be submitted when it waits for one, or ends
  bool has_triggered = false;
  std::size_t dispatcher = 0;  ///< that places it
  Time began = 0;
  std::optional<Time> filled;
  std::optional<Time> ended;

  bool is_partial() const { return placed < threads.size(); }
};

/// A store under way, whose thread and work-group may have ended.
struct Store {
  Group* group = nullptr;
  Thread* thread = nullptr;
  Load load;
  Time begun = 0;
};

struct Core {
  std::vector<EngineHolds> engines;
  Int128 slots = 0;
  Int128 barrier_or_slm_slots = 0;
  std::int64_t slm = 0;
  Int128 barriers = 0;
  std::int64_t pool = 0;                       ///< to which its SLM was set last
  std::vector<Group*> groups;                  ///< that hold something of it
  std::map<const Group*, std::uint64_t> runs;  ///< where contexts come in runs: where each work-group's begins
  Group* partial = nullptr;                    ///< whose threads are placed first
};

struct LaunchState {
  bool is_foreign = false;               ///< of another process: it never happens in this world
  std::optional<Time> submission_ended;  ///< it may lie in a batch before it is `submitted`
  std::optional<Time> submitted, ready, begun, first_dispatched, fully_dispatched, ended;
  Time overlapped = 0;        ///< where launches cost time: when the overlapping part of its cost is paid
  Time begun_for_device = 0;  ///< where they do: `begun`, delayed while its process does not have the device
  bool is_critical = false;   ///< see slack.hpp
  /// Beginnings and ends of the times when its process did not have the device although it had begun.
  std::vector<std::pair<Time, Time>> away;
  Time suspended = 0;  ///< time for which others had the device between its begin and its end
  std::uint64_t groups_total = 0;
  std::uint64_t groups_begun = 0;
  std::uint64_t last_placement = 0;       ///< of all placements of all launches, counted from 1
  std::set<std::uint64_t> numbers_begun;  ///< of those work-groups
  std::uint64_t groups_ended = 0;
  std::vector<std::size_t> predecessors;
  std::set<std::size_t> triggers;  ///< launches for whose triggers it waits
  std::uint64_t groups_triggered = 0;
  std::optional<Time> triggered;
  std::vector<std::optional<Time>> grid_opens;     ///< by phase of its grid barrier: when it opens
  std::map<std::string, std::vector<Time>> flags;  ///< by flag_name(): when each phase was complete
  std::optional<std::size_t> starts_behind;        ///< the previous launch in its hardware queue
  Time acknowledged = 0;                           ///< when all its stores that have ended are acknowledged
  std::vector<std::size_t> children;
  std::vector<std::size_t>
      late_children;  ///< launched, to be submitted once all work-groups have ended and stores are acknowledged
  std::uint32_t depth = 0;                 ///< the number of generations of parents
  std::optional<std::size_t> copy_engine;  ///< of a copy that has begun
  bool has_copied = false;                 ///< its engine is free again
  // For transfers over links, see devices.cpp.
  std::optional<Time> joined;  ///< of a part of a collective: all its threads are there
  std::optional<Time> landed;  ///< of a copy to another device: its bytes are there
};

/// Some cores with a dispatcher of their own.
struct DispatcherState {
  std::size_t first = 0;  ///< cores first, ..., end - 1
  std::size_t end = 0;
  std::size_t level = 0;  ///< groups of this level of core_groups lie inside
  Time busy_until = 0;
  std::size_t cursor = 0;                                           ///< of round_robin
  std::map<std::vector<std::size_t>, std::size_t> group_cursors{};  ///< of group_round_robin, by group
  std::optional<std::size_t> batch_launch{};  ///< whose next work-group goes to `batch_core`, if it fits
  std::size_t batch_core = 0;
  std::uint64_t batch_left = 0;
};

/// Released resources that can be taken again from `at` on.
struct Recovery {
  Time at = 0;
  Group* group = nullptr;
  std::size_t core = 0;
  const Thread* thread = nullptr;  ///< null: the resources of the work-group apart from its threads
};

/// A device, or the state of one of several processes on it.
struct World {
  const DeviceSpec& device;
  const DispatchRules& rules;
  const Workload& workload;
  std::vector<DeviceSpec> device_by_clock{};
  std::vector<Time> clock_begins{};  ///< by clock
  std::size_t clock = 0;             ///< in force
  Time now = 0;
  Time start = 0;  ///< of the first thread or copy
  Time end = 0;    ///< the last time of an event on the device; events of the host do not count
  bool has_begun = false;
  bool turn_is_due = false;
  bool has_device = true;
  bool is_drained = false;     ///< no work-group begins
  std::deque<Group> groups{};  ///< all that were ever placed, in that order
  std::list<Store> stores{};   ///< under way
  std::vector<Core> cores{};
  std::vector<LaunchState> launches{};
  std::vector<std::size_t> host_order{};  ///< all that are not foreign
  // Memoized values: chains may be long. See latest_at() in launches.cpp, and slack.cpp.
  mutable std::map<std::size_t, Time> latest_known{};
  mutable std::map<std::size_t, Time> latest_ends_known{};
  mutable std::map<std::size_t, Time> latest_readiness_known{};
  mutable std::map<std::size_t, Time> latest_submissions_known{};
  std::size_t host_done = 0;  ///< number of launches of `host_order` that were submitted, or are being submitted
  Time host_free_at = 0;
  std::vector<std::size_t> batch{};  ///< launches that are sent together
  bool batch_goes_at_once = false;   ///< the first of them, or its graph, does not wait for others
  std::vector<DispatcherState> dispatchers{};
  std::size_t next_dispatcher = 0;  ///< after the last one that placed something
  std::vector<Recovery> recovering{};
  /// Thread-picoseconds for which threads waited for issue slots and banks, by core and kernel, see time_use.hpp.
  std::map<std::pair<std::size_t, std::size_t>, std::map<Shared, Int128>> waited{};
  std::map<std::pair<std::string, std::string>, std::uint64_t>
      tiles_taken{};                         ///< on demand, by launch, or "" for all, and list
  std::uint64_t placements = 0;              ///< of work-groups
  std::optional<std::size_t> last_launch{};  ///< that placed a work-group, for kernel_choice: round_robin
  std::vector<World*> devices{};             ///< those that run together, this one among them; empty: it is alone
  std::size_t number = 0;                    ///< of this one
  std::vector<Collective> collectives{};     ///< of them
  bool knows_slack = true;                   ///< see slack.hpp

  const Launch& launch(std::size_t id) const { return workload.launches[id]; }
  const Kernel& kernel(std::size_t id) const { return workload.kernel_of(workload.launches[id]); }
  /// The device of which the launch is.
  std::size_t device_of(std::size_t id) const {
    return launch(id).is_remote() ? index_of(launch(id).as_remote().device) : number;
  }
  const World& owner_of(std::size_t id) const { return launch(id).is_remote() ? *devices[device_of(id)] : *this; }
  /// Visits threads that hold a context, with their groups.
  template <class Visit>
  void for_each_resident(Visit&& visit) {
    for (Group& group : groups)
      if (!group.ended)
        for (Thread& thread : group.threads)
          if (thread.is_resident()) visit(group, thread);
  }
};

}  // namespace gdsim::oracle
