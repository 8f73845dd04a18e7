#pragma once

#include <gdsim/workload/launch_graph.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace gdsim {

/// The milestones of a workload by number. Each launch has two, its submission and its end, or three, with its
/// beginning, where others wait for the beginning.
class Milestones {
 public:
  explicit Milestones(const LaunchGraph& graph)
      : have_begins_(!graph.starts.empty() || graph.trigger_waiters.size() > 0), stride_(have_begins_ ? 3 : 2) {}

  std::size_t count(std::size_t launches) const { return stride_ * launches; }
  bool have_begins() const { return have_begins_; }
  std::size_t submission_of(LaunchId launch) const { return of(launch, Milestone::Kind::submitted); }
  std::size_t end_of(LaunchId launch) const { return of(launch, Milestone::Kind::ended); }
  std::size_t begin_of(LaunchId launch) const { return of(launch, Milestone::Kind::begun); }
  /// Returns the first milestone that comes after the launch is ready: its beginning, or its end if begins are not
  /// tracked.
  std::size_t ready_of(LaunchId launch) const { return have_begins_ ? begin_of(launch) : end_of(launch); }
  LaunchId launch_of(std::size_t milestone) const { return static_cast<LaunchId>(milestone / stride_); }
  Milestone::Kind kind_of(std::size_t milestone) const { return static_cast<Milestone::Kind>(milestone % stride_); }

 private:
  std::size_t of(LaunchId launch, Milestone::Kind kind) const {
    return stride_ * index_of(launch) + static_cast<std::size_t>(kind);
  }

  bool have_begins_;
  std::size_t stride_;
};

/// Returns true if the host waits for a launch before it submits another one.
bool host_waits_somewhere(const Workload& workload);

/// Returns every milestone after those for which it waits, or nullopt if some wait for each other. The graph must be
/// complete except for `order` and `cycles`. Builds no graph in memory: a million launches are usual.
std::optional<std::vector<Milestone>> order_milestones(const Workload& workload, const LaunchGraph& graph);

}  // namespace gdsim
