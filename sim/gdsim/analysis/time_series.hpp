#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/record/phase_shapes.hpp>
#include <gdsim/record/phases.hpp>
#include <gdsim/record/time_use.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Occupancy of all runs of a scenario in one interval of time: a row of `bands.csv`.
struct BandRow {
  /// Percentages are counted in 1/10000 of a percentage point, as files write them.
  static constexpr std::uint64_t kPerPercent = 10'000;
  enum Column : std::size_t { mean, min, p5, p50, p95, max, column_count };

  SimTime begin;
  SimTime end;
  std::array<std::uint64_t, column_count> percent{};  ///< of all contexts, by Column
};

/// Returns the rows of all bands; empty if no run was finished.
std::vector<BandRow> band_rows(const Repetitions& repetitions);

/// An activity or a wait of resident threads.
struct TimeColumn {
  std::string name;        ///< in files
  std::string words;       ///< for people
  std::string_view style;  ///< in pictures
  std::string letter;      ///< in a terminal; empty: drawn in the shade of stalled threads
};

/// The use of time by resident threads over time: a thread executes whenever it does not wait. A thread that shares a
/// resource executes at a share of its speed and waits for the rest, which is spread evenly over its step.
struct TimeSeries {
  /// Means are counted in 1/10000 of a thread, as files write them.
  static constexpr std::uint64_t kPerThread = 10'000;
  /// Indices of the first two columns.
  static constexpr std::size_t kComputing = 0;
  static constexpr std::size_t kAccess = 1;

  struct Row {
    SimTime begin;
    SimTime end;
    std::vector<std::uint64_t> means;    ///< by column
    std::uint64_t copies = 0;            ///< mean number of copies in progress, in 1/10000
    std::uint64_t waiting_launches = 0;  ///< mean number of launches that wait for dispatch, in 1/10000
  };

  /// Executing without accesses to memory is first, then accesses to memory. Among waits for memory, that for the
  /// core's link is first, then that for each level.
  std::vector<TimeColumn> columns;
  std::vector<Row> rows;  ///< of equal width, the last may be shorter

  bool empty() const { return rows.empty(); }
  /// Returns true if the column is not zero at some time.
  bool occurs(std::size_t column) const;
  /// Returns true if a launch waits for dispatch at some time.
  bool has_waiting_launches() const;
  /// Returns true if some column other than executing without accesses to memory is not zero at some time.
  bool has_waits() const;
  /// Returns the executing threads, accesses to memory included, in 1/10000 of a thread.
  static std::uint64_t executing(const Row& row) { return row.means[kComputing] + row.means[kAccess]; }
};

/// Returns the columns for a device: executing, accessing memory, waiting for issue, for memory (the core's link, then
/// each level), for banks of SLM, at barriers, for children, and contexts held after the end.
std::vector<TimeColumn> time_columns(const DeviceSpec& device);
/// Returns the columns for memory levels of these names.
std::vector<TimeColumn> time_columns(const std::vector<std::string>& memory_levels, const std::string& slm);
/// Gives each part of the executing time its own words if threads access memory.
void name_parts_of_executing(TimeSeries& series);

/// Returns the series in the intervals of `waits`. The timeline must have been kept.
TimeSeries time_series(const RunReport& report, const WaitSeries& waits);

/// Returns the mean number of threads that execute during the phase. If an interval of the series is only partly in the
/// phase, its waits count in proportion.
Ratio mean_executing(const Phase& phase, const TimeSeries& series);
/// The same from the waits themselves, whose intervals begin at `start`.
Ratio mean_executing(const Phase& phase, SimTime start, const WaitSeries& waits);

}  // namespace gdsim
