#pragma once

#include <gdsim/run/completed_run.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace gdsim {

/// Walks from a launch to the one that decided when it was ready.
class BackwardPath {
 public:
  /// The run must outlive this.
  explicit BackwardPath(const CompletedRun& run);

  /// The launch that decided when this one was ready: by its end, its trigger or its begin in their hardware queue, or
  /// because the host waited for it before submitting this one or one before it; nothing if none did.
  std::optional<LaunchId> from(LaunchId launch) const;

 private:
  /// When the predecessor no longer kept `launch` from being ready.
  SimTime freed_by(const Dependency& dependency, LaunchId launch) const;
  std::optional<LaunchId> along_the_host(LaunchId launch) const;
  /// When the host had submitted the launch; it may have been sent later, in a batch.
  SimTime submission_of(LaunchId launch) const {
    return *run_.record_of(launch).submitted - run_.record.batched_for(launch);
  }
  /// The launch whose submission decided when this one was sent: the last of their batch if the batch was full or the
  /// host paused, else the first.
  LaunchId sent_by(LaunchId launch) const;

  const CompletedRun& run_;
  std::vector<std::size_t> places_;  ///< by launch: where it stands in the order of the host; empty without batches
};

}  // namespace gdsim
