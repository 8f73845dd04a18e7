#pragma once

#include <gdsim/base/containers.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Why one launch depends on another.
enum class Cause : std::uint8_t {
  after,             ///< declared by the launch
  queue,             ///< an in-order queue
  read_after_write,  ///< of a buffer
  write_after_read,
  write_after_write,
  cooperative,     ///< both are cooperative
  hardware_queue,  ///< their hardware queue starts it after the end of the other
};

/// The milestone of a launch for which another one waits.
enum class Until : std::uint8_t {
  ended,
  triggered,  ///< every work-group has executed `trigger`, or ended
};

/// A launch that must have ended, or triggered, before another is ready.
struct Dependency {
  LaunchId before{};
  Cause cause{};
  Until until = Until::ended;
  std::optional<BufferId> buffer{};

  friend bool operator==(const Dependency&, const Dependency&) = default;
};

/// By launch: its predecessors, each once, ascending.
using Predecessors = FlatLists<Dependency>;

/// One link of a cycle: a launch that waits for another one.
struct CycleLink {
  enum class Reason : std::uint8_t {
    dependency,  ///< it is ready only after the other has ended
    host_order,  ///< the host submits it after the other
    host_wait,   ///< the host submits it only after the other has ended
    start,       ///< its hardware queue starts it after the other
    parent,      ///< one of them is the other's child
  };
  LaunchId launch{};
  LaunchId waits_for{};
  Reason kind{};
  std::optional<Dependency> dependency{};  ///< if the kind is `dependency`
};

/// A milestone of a launch that others may wait for: its submission's end, its end, or its beginning. Beginnings exist
/// only where hardware queues start launches in order, or where launches wait for triggers, which come later.
struct Milestone {
  enum class Event : std::uint32_t { submitted, ended, begun };
  Milestone(LaunchId launch_id, Event milestone) : launch(launch_id), event(milestone) {}

  // In 4 bytes: a graph holds two or three milestones of each launch, and there are at most 10 million launches.
  LaunchId launch : 30;
  Event event : 2;
};

/// The hardware queues that start the launches of a workload.
struct HardwareQueues {
  std::vector<std::uint32_t> numbers;        ///< by queue of the workload; empty if the device has no hardware queues
  std::optional<std::uint32_t> of_unqueued;  ///< of launches in no queue; nullopt: they start in any order
  bool start_after_end = false;            ///< after the end of the launch before, not after its begin
  std::vector<std::uint32_t>
      processes;  ///< by launch: the process that has these queues for itself; empty: all are one
};

/// The order in which launches of one hardware queue start, if each waits for the begin of the one before. Both lists
/// are by launch, or empty if no launch starts after another one.
struct StartOrder {
  std::vector<std::optional<LaunchId>> before;  ///< the launch must have begun
  std::vector<std::optional<LaunchId>> next;    ///< the launch that this one holds up until it begins

  bool empty() const { return before.empty(); }
  std::optional<LaunchId> before_of(LaunchId launch) const { return empty() ? std::nullopt : before[index_of(launch)]; }
  std::optional<LaunchId> next_of(LaunchId launch) const { return empty() ? std::nullopt : next[index_of(launch)]; }
};

/// The dependencies between launches: those declared, those of in-order queues, and those of accesses to buffers, in
/// the order of the file across all queues. Waits for buffers are reduced to those from which all others follow: a
/// reader waits for the last writer, a writer for the readers since, or for the last writer if none has read since. A
/// launch that waits for another one's trigger does not wait for its end because of their queue or of a buffer. But it
/// never ends before the other one, so that a wait for its end covers both. Cooperative launches run one after the
/// other, in the order in which hardware queues start launches: two partly resident ones would wait for each other.
/// Children wait only for the work-group that launches them.
struct LaunchGraph {
  Predecessors predecessors;
  FlatLists<LaunchId> successors;       ///< by launch, ascending: those that wait for its end
  FlatLists<LaunchId> trigger_waiters;  ///< the same for those that wait for its trigger; empty if none waits for any
  /// Cycles of launches, host waits included: each launch waits for the launch of the next link, and the last for that
  /// of the first. There is one cycle for each set of launches that reach each other, and none in a usable graph. A
  /// cycle begins with the launch that is first in the file among those that declare their waits themselves.
  std::vector<std::vector<CycleLink>> cycles;
  /// Every milestone comes after those that it waits for, and a parent's end after its children. Empty if there is a
  /// cycle.
  std::vector<Milestone> order;
  /// The order in which the host submits launches, without children: by time, then by their order in the file.
  std::vector<LaunchId> host_order;
  HardwareQueues hardware_queues;
  StartOrder starts;

  bool has_trigger_waiters(LaunchId launch) const {
    return trigger_waiters.size() > 0 && !trigger_waiters[index_of(launch)].empty();
  }
  /// Returns nullopt if the launch is a copy or a child, or if no hardware queue starts it.
  std::optional<std::uint32_t> hardware_queue_of(const Launch& launch) const {
    if (!launch.is_kernel() || launch.parent() != nullptr) return std::nullopt;
    if (!launch.queue) return launch.as_kernel().priority ? std::nullopt : hardware_queues.of_unqueued;
    if (hardware_queues.numbers.empty()) return std::nullopt;
    return hardware_queues.numbers[index_of(*launch.queue)];
  }
  /// Returns the launch before it in its hardware queue, for whose begin it waits, or for whose end it waits because of
  /// that queue alone.
  std::optional<LaunchId> starts_behind(LaunchId launch) const {
    for (const Dependency& dependency : predecessors[index_of(launch)])
      if (dependency.cause == Cause::hardware_queue) return dependency.before;
    return starts.before_of(launch);
  }
};

/// Makes the graph of a workload.
LaunchGraph make_launch_graph(const Workload& workload, HardwareQueues hardware_queues = {});

}  // namespace gdsim
