#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/format_catalog.hpp>
#include <gdsim/report/sink.hpp>
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

/// Passes the rows of a CSV table on, with the cells of its columns of times left empty.
class CsvWithoutTimes : public Sink {
 public:
  /// `sink` must outlive this.
  explicit CsvWithoutTimes(Sink& sink) : sink_(sink) {}
  void write(std::string_view text) override;

 private:
  void end_cell(char separator);

  Sink& sink_;
  std::vector<bool> is_time_;  ///< by column, once the header has been read
  std::string cell_;           ///< as far as it was read
  std::size_t column_ = 0;
  bool is_header_ = true;
  bool is_quoted_ = false;
};

/// Returns a text that JsonWriter wrote with each time replaced by null.
std::string json_without_times(std::string_view json);

}  // namespace gdsim
