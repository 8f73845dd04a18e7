#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// A measured time, and the scenario's values at the measurement.
struct MeasuredTime {
  std::vector<std::string> values;  ///< by column, as written in the scenario
  Duration time;                    ///< above 0
  SourceMark mark;
};

/// A table of measured times.
struct MeasuredTimes {
  std::vector<std::string> columns;  ///< names of values that vary, as typed
  std::vector<MeasuredTime> rows;
};

/// Reads a table with a column `time_ns` (or another unit), `time [UNIT]`, or `time` with a unit in each cell; every
/// other column names a value of the scenario. Every problem is added with its place.
MeasuredTimes read_measured_times(const SourceText& source, Diagnostics& problems);

}  // namespace gdsim
