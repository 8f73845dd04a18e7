#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gdsim {

/// A column as `gdsim help outputs` describes it.
struct ColumnWords {
  std::string name;
  std::string_view sentence;  ///< empty: the sentence of another column names this one
};

/// Texts of rows, each of which may recur.
struct RecurringTexts {
  std::vector<std::string> words;    ///< without a repetition
  std::vector<std::uint32_t> index;  ///< by row, into `words`

  void add(std::string_view text);
};

/// The values of a column by row. Times are in nanoseconds; NaN stands for what never happened.
struct ColumnValues {
  std::string name;
  std::variant<std::vector<double>, std::vector<std::uint64_t>, std::vector<std::uint32_t>, std::vector<std::int64_t>,
               std::vector<std::uint8_t>, RecurringTexts>
      values;  ///< std::uint8_t: true or false
};

/// A kind of table of a run, with its columns. They are stable (CHANGELOG.md).
class CsvTable {
 public:
  virtual ~CsvTable() = default;
  /// The file of an output folder that has it.
  virtual std::string_view file() const = 0;
  /// What a row is, for `gdsim help outputs`.
  virtual std::string_view words() const = 0;
  /// The columns of the table of a report, or all that there are.
  virtual std::vector<ColumnWords> columns(const RunReport* report) const = 0;
  /// Writes the table. Times are left out if some program is a placeholder. It is a defect if the rows were not kept.
  virtual void write(const RunReport& report, Sink& sink) const = 0;
  /// The values of the column `only`, or of all columns if that is empty.
  virtual std::vector<ColumnValues> values(const RunReport& report, std::string_view only) const = 0;
};

const CsvTable& timeline_table();
const CsvTable& cores_table();
const CsvTable& phases_table();
const CsvTable& work_groups_table();
/// A row for each launch, children included.
const CsvTable& launches_table();
/// Every launch over time, with a row at each change.
const CsvTable& kernels_table();

/// Sums over the cores of each group of every level of the device's `core_groups`, over time. A group has a row at the
/// first dispatch and one at each of its changes. Rows are sorted by time, then level from the outermost, then group.
/// Groups of a level are numbered across the device. There is no such file for a device without groups.
const CsvTable& core_groups_table();

/// A row for each placement, change and departure of a work-group on a core. If there are too many to draw, only the
/// header is written.
const CsvTable& group_states_table();

/// Which process used the device when, and for what. Each DeviceSpan is a row; without preemption there is none.
const CsvTable& slices_table();

/// Where the time of resident threads goes, in at most WaitSeries::kMaxIntervals intervals. Needs the timeline and the
/// waits.
const CsvTable& time_use_table();

/// The device as a sampling profiler sees it: means over intervals of this length from the first
/// dispatch; the last one may be shorter. Needs the timeline, and waits in intervals of the same length.
std::unique_ptr<CsvTable> samples_table(Duration interval);

/// A row for each run of a repeated run.
const CsvTable& repetitions_table();
/// The occupancy of all runs over time, in 200 equal intervals.
const CsvTable& bands_table();

/// Lists every core on which a work-group has threads, as `0+2`. `more` are those besides the core of its first thread.
std::string cores_text(const WorkGroupRecord& record, const std::vector<CoreId>& more);

/// Writes a table of one run.
using WriteTable = std::function<void(const RunReport& report, Sink& sink)>;

/// Writes the rows of all devices as one table, device by device, with a column `device` at the right. If a device
/// lacks a column that another has, its cells there are empty.
void write_device_tables(std::span<const DeviceReport> devices, const WriteTable& write, Sink& sink);

/// Writes what Nsight Compute (`ncu --csv --metrics ...`) would call the results: a row for each metric of each launch
/// of a kernel, with the metric's name, unit and value. Metrics that the simulation does not know have no row: those of
/// caches and of instructions, and every time of a launch that has not ended or whose program is a placeholder. Memory
/// traffic of a kernel's launches is divided evenly among them.
void write_ncu_metrics_csv(const RunReport& report, Sink& sink);

/// Describes for a person how much the durations differ.
std::string repetitions_text(const RunReport& report);

/// The maximum number of samples that are written.
inline constexpr std::int64_t kMaxSamples = 10'000'000;

/// Throws InputError if a run of this duration has more than kMaxSamples samples. `interval` must be positive.
void require_few_samples(Duration duration, Duration interval);

}  // namespace gdsim
