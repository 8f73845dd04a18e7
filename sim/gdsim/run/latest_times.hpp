#pragma once

#include <gdsim/run/completed_run.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// The latest times at which milestones could have occurred without a later end of the run. Goes back from that end.
class LatestTimes {
 public:
  /// The run must outlive this.
  explicit LatestTimes(const CompletedRun& run);

  /// How much later the whole launch could have run.
  Duration slack_of(LaunchId launch) const;

 private:
  /// Every milestone comes after those it waits for, and ends that are joint after all that any of them waits for.
  void propagate(const std::vector<Milestone>& order);
  /// Launches that end together all have the least slack of them; they stand together in the order.
  void join(std::uint32_t number, std::vector<bool>& are_joined);
  void propagate_from_end(LaunchId id);
  void propagate_from_readiness(LaunchId id, SimTime ready);
  /// Called only where the host waits for launches: then the host's order is part of the graph.
  void propagate_from_submission(LaunchId id);
  /// How much later it could have ended.
  Duration spare_of_end(LaunchId id) const { return ended_[index_of(id)] - *run_.record_of(id).ended; }
  /// How long it waited for those with which it ends.
  Duration spare_of(LaunchId id) const;

  const CompletedRun& run_;
  std::vector<SimTime> submitted_;
  std::vector<SimTime> ready_;  ///< empty if the graph has no begins
  std::vector<SimTime> ended_;
  bool have_begins_;  ///< `graph.order` has them
};

}  // namespace gdsim
