#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/format_catalog.hpp>
#include <gdsim/run/simulate.hpp>

#include <optional>
#include <set>

namespace gdsim {

/// What formats need a run to keep beside its result. Any number of threads may read one once its run has ended.
class KeptParts {
 public:
  KeptParts() = default;
  // Options of runs, and reports, refer to its parts.
  KeptParts(const KeptParts&) = delete;
  KeptParts& operator=(const KeptParts&) = delete;

  /// Adds to the options of a run of `workload` on `device` what keeps `keeps`; once, before it runs. `sample`: the
  /// length of samples that will be written.
  void watch(const std::set<Keeps>& keeps, const DeviceSpec& device, const Workload& workload,
             std::optional<Duration> sample, RunOptions& options);
  /// Adds to a report what was kept.
  void add_to(RunReport& report) const;

  const WorkGroupLog* work_groups() const { return work_groups_ ? &*work_groups_ : nullptr; }
  const CoreTimeline* cores() const { return cores_ ? &*cores_ : nullptr; }

 private:
  std::optional<CoreTimeline> cores_;
  std::optional<WorkGroupLog> work_groups_;
  std::optional<LaunchTimeline> launches_;
  std::optional<GroupTimeline> group_states_;
  std::optional<WaitSeries> waits_;
  std::optional<WaitSeries> sampled_waits_;
};

}  // namespace gdsim
