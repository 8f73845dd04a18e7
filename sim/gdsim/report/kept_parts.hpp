#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/format_catalog.hpp>
#include <gdsim/run/simulate.hpp>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The data that formats need a run to keep besides its result. After the run, any number of threads may read it.
class KeptParts {
 public:
  KeptParts() = default;
  // The options of a run, and reports, refer to parts of this object.
  KeptParts(const KeptParts&) = delete;
  KeptParts& operator=(const KeptParts&) = delete;

  /// Adds observers to the options of a run of `workload` on `device` that keep `keeps`. Must be called once, before
  /// the run. `sample` is the length of the samples that will be written.
  void watch(const std::set<Keeps>& keeps, const DeviceSpec& device, const Workload& workload,
             std::optional<Duration> sample, RunOptions& options);
  /// Adds the kept parts to a report.
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
  std::optional<TileLog> tiles_;
};

// Rule: times of a placeholder.
//
// A run in which the program of a kernel is a placeholder has no times. Every value whose column or key ends in `_ns`
// is one, and every value of an object under such a key: an empty cell of CSV, null in JSON.

/// Returns a text that JsonWriter wrote with each time replaced by null.
std::string json_without_times(std::string_view json);

}  // namespace gdsim
