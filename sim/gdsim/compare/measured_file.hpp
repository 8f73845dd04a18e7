#pragma once

#include <gdsim/analysis/comparison.hpp>
#include <gdsim/analysis/run_view.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// A sample of a device, and its row in the file.
struct MeasuredSample : MeasuredSpan {
  SourceMark mark;
};

/// Samples as a profiler wrote them, ordered by time, without overlaps.
using MeasuredFile = std::vector<MeasuredSample>;

/// The meaning of columns whose names do not state it.
struct MeasuredOptions {
  std::optional<std::string> column;  ///< the column with the occupancy
  std::optional<Duration> time_unit;  ///< the unit of the column of times
  std::optional<std::string> time_column = std::nullopt;
  std::optional<bool> is_share = std::nullopt;  ///< occupancies are 0 to 1, not 0 to 100; nullopt: by the column
};

/// Reads a CSV file by the names of its columns: VTune's (`XVE Threads Occupancy(%)`, `EU Threads Occupancy(%)`), or
/// `occupancy_percent`, `percent`, `occupancy`; and a time whose unit is in its name (`time_ns`, `Time (ms)`), in its
/// cells, or an option. `Bin Start Time` without a unit is in seconds, as `vtune -report timeline` writes it. A bare
/// `time` is in seconds, too, with a note. Separators are commas, semicolons or tabs. Also reads Nsight Compute's raw
/// page (`sm__warps_active.avg.pct_of_peak_sustained_active`, a row of units, kernels one after the other by
/// `gpu__time_duration.sum`) and rocprofv3's counters (`Start_Timestamp`, `End_Timestamp`, `OccupancyPercent`, alone or
/// as `Counter_Value`). If all occupancies are from 0 to 1, only an option makes them shares. The length of a sample
/// follows from `duration_ns` or `Bin End Time`; without these columns, it lasts until the next one, and the last has
/// the length of the one before. Every problem is added with its position, in the order of lines; `notes` gets a
/// sentence on each assumption.
MeasuredFile read_measured(const SourceText& source, const MeasuredOptions& options, Diagnostics& problems,
                           std::vector<std::string>& notes);

/// Whether measured time is scaled so that the measurement lasts as long as the run.
enum class Stretch : std::uint8_t { no, yes };

/// Aligns samples with the time of a run. Samples of 0 at the beginning and at the end are left out. The first
/// remaining sample begins with the run; if stretched, the last one ends with the run, too. Throws InputError if every
/// sample is 0, or if an aligned time would not fit 64-bit picoseconds.
MeasuredOccupancy align(const MeasuredFile& file, const RunView& view, Stretch stretch);

}  // namespace gdsim
