#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The data that a run must keep for a format.
enum class Keeps : std::uint8_t {
  nothing,
  timeline,
  cores,
  core_groups,  ///< the cores, on a device with core groups
  work_groups,
  group_states,
  launches,
  processes,    ///< which used the device when, under preemption; the record has it
  repetitions,  ///< all runs of a repeated run
  waits,
  tiles  ///< that work-groups take
};

/// An output format of a run.
struct Format {
  std::string_view name;  ///< as in `--print NAME`
  std::string_view file;  ///< its file in an output folder
  Keeps keeps;
  std::function<void(const RunReport& report, Sink& sink)> write;
  std::string_view vendor = {};     ///< only for devices of this vendor, whose tool's words it uses; empty: for all
  const CsvTable* table = nullptr;  ///< with its columns; null: it is none, or of another tool
};

/// The files of `-o DIR`, in this order. Only a device with core groups, a run under preemption, or a repeated run has
/// those that keep core_groups, processes, or repetitions.
std::vector<Format> built_in_formats();

/// Formats of other tools, written only on request.
std::vector<Format> export_formats();

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
