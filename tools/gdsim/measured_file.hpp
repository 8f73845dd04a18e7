#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim::cli {

/// Occupancy from `time` on, in units of 1/10000 percent.
struct MeasuredSample {
  Picoseconds time;
  std::uint64_t occupancy = 0;
};

/// Samples of a device as a profiler wrote them, rising in time, and when the last one ends.
struct MeasuredFile {
  std::vector<MeasuredSample> samples;
  Picoseconds end;
};

/// How to understand the columns where their names do not tell.
struct MeasuredOptions {
  std::optional<std::string> column;     ///< the one with the occupancy
  std::optional<Picoseconds> time_unit;  ///< what one in the column of times is
};

/// Reads a CSV file by the names of its columns: VTune's (`XVE Threads Occupancy(%)`, `EU Threads Occupancy(%)`), or
/// `occupancy_percent`, `percent`, `occupancy`; and a time whose unit is in its name (`time_ns`, `Time (ms)`) or its
/// cells. Comma, semicolon or tab separate. A `duration_ns` tells how long the last sample lasts; else it lasts as
/// long as the one before. Every problem is added with its place.
MeasuredFile read_measured(const SourceText& source, const MeasuredOptions& options, Diagnostics& problems);

}  // namespace gdsim::cli
