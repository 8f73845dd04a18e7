#pragma once

#include <gdsim/analysis/comparison.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// A sample of a device, and the row of the file in which it stands.
struct MeasuredSample : MeasuredSpan {
  SourceMark mark;
};

/// Samples as a profiler wrote them, rising in time; they do not overlap.
using MeasuredFile = std::vector<MeasuredSample>;

/// What columns mean whose names do not say so.
struct MeasuredOptions {
  std::optional<std::string> column;  ///< the one with the occupancy
  std::optional<Duration> time_unit;  ///< what one in the column of times is
  std::optional<std::string> time_column = std::nullopt;
  std::optional<bool> is_share = std::nullopt;  ///< occupancies are 0 to 1, not 0 to 100; nothing: by the column
};

/// Reads a CSV file by the names of its columns: VTune's (`XVE Threads Occupancy(%)`, `EU Threads Occupancy(%)`), or
/// `occupancy_percent`, `percent`, `occupancy`; and a time whose unit is in its name (`time_ns`, `Time (ms)`), in its
/// cells, or an option. `Bin Start Time` without a unit is in seconds, as `vtune -report timeline` writes it. So is a
/// bare `time`, with a note. Separators are commas, semicolons or tabs. Also Nsight Compute's raw page
/// (`sm__warps_active.avg.pct_of_peak_sustained_active`, a row of units, kernels one behind the other by
/// `gpu__time_duration.sum`) and rocprofv3's counters (`Start_Timestamp`, `End_Timestamp`, `OccupancyPercent`, alone or
/// as `Counter_Value`). Occupancies of 0 to 1 throughout are taken as shares only by an option. A sample lasts as long
/// as `duration_ns` or `Bin End Time` says; without them until the next one, and the last as long as the one before.
/// Every problem is added with its place, in the order of lines; `notes` gets a sentence for what was assumed.
MeasuredFile read_measured(const SourceText& source, const MeasuredOptions& options, Diagnostics& problems,
                           std::vector<std::string>& notes);

}  // namespace gdsim
