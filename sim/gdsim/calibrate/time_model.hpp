#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/in_order.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/cases/scenario_cases.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// A value to be fitted, and its range. It is a whole number of steps. A step is one unit of the last decimal of the
/// range as written: `0.50 us..2.00 us` has steps of 0.01 us, `64 B..512 B` of 1 B.
struct FitRange {
  std::string path;  ///< of the value, as typed
  std::int64_t low = 0;
  std::int64_t high = 0;  ///< above `low`
  int decimals = 0;       ///< 0 to 9
  std::string unit;       ///< with the blank before it; empty: a plain number

  /// Returns the value as written in the scenario.
  std::string text(std::int64_t steps) const;
  /// Returns the steps of a value as written, rounded to the nearest; `low` - 1 if it is not in the range.
  std::int64_t steps_of(std::string_view text) const;
  /// Converts a place between 0 (`low`) and 1 (`high`) to a value and back: linearly, or geometrically if `high` is at
  /// least ten times `low`.
  std::int64_t at(double fraction) const;
  double place_of(std::int64_t steps) const;
};

/// Reads `PATH=LOW..HIGH`. Throws InputError, which begins with `--fit`.
FitRange parse_fit_range(std::string_view text);

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

/// A point in the unit cube, with one coordinate per parameter.
using Place = std::vector<double>;
/// The function to be minimized. If it throws, the search ends and rethrows.
using Objective = std::function<double(const Place&)>;

/// Searches the whole unit cube of `dimensions` (DIRECT-L): deterministic. Returns the best place of `evaluations`.
Place search_everywhere(const Objective& objective, std::size_t dimensions, std::size_t evaluations);

/// Searches around `start`, within the unit cube, without derivatives (Subplex): deterministic. Returns the best place
/// of at most `evaluations`, or `start`.
Place search_nearby(const Objective& objective, const Place& start, std::size_t evaluations);

/// The number of steps of each fitted value.
using Steps = std::vector<std::int64_t>;

/// |simulated / measured - 1| in 1 / kErrorUnit, rounded down, at most kErrorUnit x 10^6, which also stands for a run
/// that is refused or does not end.
using RowError = std::uint64_t;
inline constexpr std::uint64_t kErrorUnit = 1'000'000'000'000;
inline constexpr RowError kNoTime = kErrorUnit * 1'000'000;

/// Thrown when a stop request interrupts a run.
struct CalibrationInterrupted {};

/// A scenario with fitted values that simulates the times of measured rows.
class TimeModel {
 public:
  /// Throws InputError if the scenario cannot be read, or if a name is no value that can be set, or occurs twice. All
  /// references must outlive this.
  TimeModel(TemplatePool& pool, const std::vector<FitRange>& ranges, const MeasuredTimes& measured, RunOptions options,
            Jobs jobs);

  /// Returns the errors of these rows, which do not depend on the number of jobs. Throws CalibrationInterrupted.
  std::vector<RowError> errors(const Steps& steps, const std::vector<std::size_t>& rows);
  /// Returns the reasons why rows cannot be run with these values, each once, with its first row and the number of its
  /// other rows; empty if all run.
  std::vector<Diagnostic> refusals(const Steps& steps, const std::vector<std::size_t>& rows);
  /// Returns the steps of the scenario's own values, or nullopt if one is not in its range.
  std::optional<Steps> own_steps();
  std::string title() { return pool_.title(); }
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  Scenario scenario_of(ScenarioTemplate& scenario, const Steps& steps, std::size_t row) const;
  RowError error_of(const Steps& steps, std::size_t row);

  TemplatePool& pool_;
  const std::vector<FitRange>& ranges_;
  const MeasuredTimes& measured_;
  RunOptions options_;
  Jobs jobs_;
  std::vector<std::string> paths_;  ///< of fitted values, then of columns
  std::map<std::pair<Steps, std::size_t>, RowError> known_;
  std::uint64_t evaluations_ = 0;  ///< number of runs
};

}  // namespace gdsim
