#pragma once

#include <gdsim/base/flat_lists.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Why one launch depends on another.
enum class Cause : std::uint8_t {
  after,             ///< the launch says so
  queue,             ///< an in-order queue
  read_after_write,  ///< of a buffer
  write_after_read,
  write_after_write,
};

/// A launch that must have ended before another is ready.
struct Dependency {
  LaunchId before{};
  Cause cause{};
  std::optional<BufferId> buffer{};

  friend bool operator==(const Dependency&, const Dependency&) = default;
};

/// By launch: its predecessors, each once, ascending.
using Predecessors = FlatLists<Dependency>;

/// One launch that waits for another, in a cycle of such.
struct CycleLink {
  enum class Kind : std::uint8_t {
    dependency,  ///< it is ready only after the other has ended
    host_order,  ///< the host submits it behind the other
    host_wait,   ///< the host submits it only after the other has ended
    parent,      ///< one of them is the other's child
  };
  LaunchId launch{};
  LaunchId waits_for{};
  Kind kind{};
  std::optional<Dependency> dependency{};  ///< if that is the kind
};

/// A milestone of a launch that others may wait for: the end of its submission, or its end.
struct Milestone {
  enum class Kind : std::uint32_t { submitted, ended };
  Milestone(LaunchId which, Kind what) : launch(which), kind(what) {}

  // In 4 bytes: a graph holds two of each launch, of which there are at most 10 million.
  LaunchId launch : 31;
  Kind kind : 1;
};

/// Which launches wait for which: what was declared, what in-order queues imply, and what the accesses to buffers
/// imply, in the order of the file across all queues. Of these only enough that all others follow: a reader comes after
/// the last writer, a writer after the readers since, or after the last writer if none has read since. Children wait
/// only for the work-group that launches them.
struct LaunchGraph {
  Predecessors predecessors;
  FlatLists<LaunchId> successors;  ///< by launch, ascending
  /// Launches that wait for each other, each for that of the next link and the last for that of the first, host waits
  /// included: of all that can be reached from each other, one cycle. None in a usable graph. A cycle begins with the
  /// launch that is first in the file among those that declare themselves what they wait for.
  std::vector<std::vector<CycleLink>> cycles;
  /// Every milestone after those it waits for. A parent ends after its children. Empty if there is a cycle.
  std::vector<Milestone> order;
  /// In which order the host submits launches: by time, then by their order in the file. Without children.
  std::vector<LaunchId> host_order;
};

LaunchGraph make_launch_graph(const Workload& workload);

}  // namespace gdsim
