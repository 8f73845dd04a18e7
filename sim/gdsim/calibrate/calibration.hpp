#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/calibrate/time_model.hpp>
#include <gdsim/report/sink.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// The sum of the errors of some rows as a function of the parameters. Caches all evaluated values. All references must
/// outlive it.
class ErrorSum {
 public:
  ErrorSum(TimeModel& model, const std::vector<FitRange>& ranges, std::vector<std::size_t> rows)
      : model_(model), ranges_(ranges), rows_(std::move(rows)) {}

  UInt128 operator()(const Steps& steps);
  std::size_t dimensions() const { return ranges_.size(); }
  const FitRange& range(std::size_t parameter) const { return ranges_[parameter]; }
  /// Return the values nearest to a point of the unit cube, and the point of given values.
  Steps nearest(const Place& place) const;
  Place place_of(const Steps& steps) const;
  /// Returns true if some row cannot be run with these values.
  bool is_refused(const Steps& steps) { return (*this)(steps) >= kNoTime; }
  /// Returns true if it was evaluated for values with which all rows run.
  bool has_run() const;
  /// Returns the mean error as a function of the point.
  Objective objective();
  /// Returns the mean error as a function of the point of all parameters but one, which has this value.
  Objective objective_without(std::size_t parameter, std::int64_t value);
  /// Returns the evaluated values with the minimum error; of equal ones the lowest.
  const Steps& best() const;
  /// As best(), for values with this parameter within an eighth of its range around a place; null if there are none.
  const Steps* best_near(std::size_t parameter, double fraction) const;
  /// Returns the evaluated values within the error bound that have the lowest or the highest value of the parameter.
  /// Some values must be within the bound.
  const Steps& lowest(std::size_t parameter, UInt128 bound) const;
  const Steps& highest(std::size_t parameter, UInt128 bound) const;

 private:
  double mean(const Steps& steps);

  TimeModel& model_;
  const std::vector<FitRange>& ranges_;
  std::vector<std::size_t> rows_;
  std::map<Steps, UInt128> seen_;
};

/// Why the range of values that the data allow for a parameter ends.
enum class RangeEnd : std::uint8_t {
  data,    ///< beyond, the error rises above the bound
  range,   ///< it is the end of the searched range
  refused  ///< beyond, a row cannot be run; the data set no bound
};

/// The values of a parameter that the data allow, from the lowest to the highest.
struct ProfileRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
  RangeEnd low_end = RangeEnd::range;
  RangeEnd high_end = RangeEnd::range;
};

/// Returns the range in which the minimum error over the other parameters is within `bound`, as the best error must be.
/// Searches all of the range: several intervals may belong to the result. Its ends are found by bisection.
ProfileRange profile_of(ErrorSum& error, std::size_t parameter, UInt128 bound);

/// The extent to which the data determine a parameter: its value within a range; a lower or an upper bound; or not at
/// all, if the error hardly rises from one end of the searched range to the other. If the allowed values end because a
/// row cannot be run beyond, that is no bound of the data. It is open if the fit was interrupted.
enum class Knowledge : std::uint8_t { determined, at_least, at_most, not_determined, open };

/// Returns `determined`, `at least`, `at most`, `not determined` or `open`.
std::string_view name_of(Knowledge knowledge);

/// A parameter that was fitted.
struct FittedParameter {
  std::string path;
  std::string value;  ///< with the minimum error
  std::string low;    ///< with values from `low` to `high`, the error, with the others refitted, is within the bound
  std::string high;   ///< both are empty if it is open
  Knowledge knowledge = Knowledge::not_determined;
  RangeEnd low_end = RangeEnd::range;
  RangeEnd high_end = RangeEnd::range;
};

/// Returns `data`, `range` or `refused`.
std::string_view name_of(RangeEnd end);

/// Parameters fitted to measured times, and their errors. Errors are means of |simulated / measured - 1|.
struct Calibration {
  std::string title;
  std::string measured;  ///< the file
  std::vector<FittedParameter> parameters;
  Ratio error_fitted;                   ///< on the rows that were fitted
  std::optional<Ratio> error_held_out;  ///< on the others
  std::optional<Ratio> error_own;       ///< of the scenario's own values on the fitted rows, if they are in range
  Ratio bound;                          ///< the data allow values with an error up to this
  std::uint64_t rows_fitted = 0;
  std::uint64_t rows_held_out = 0;
  std::uint64_t seed = 0;
  std::uint64_t runs = 0;
  std::string sentence;
  /// True if a stop was requested. The parameters are then the best values so far, all of them open, and the errors are
  /// those of these values; if no values had been tried on all rows, there are none.
  bool is_interrupted = false;
};

/// The rows to fit, and the extent of the search.
struct CalibrationOptions {
  std::uint64_t held_out_percent = 0;  ///< of the rows, chosen by the seed; below 100
  std::uint64_t seed = 0;
  std::uint64_t evaluations = 0;  ///< of all fitted rows, for the best values; 0: 150 for each parameter
};

/// Fits the parameters: searches the whole of their ranges, then the surroundings of the best values and of the
/// scenario's own. The profile of the error shows the extent to which the data determine a parameter: with the others
/// refitted for each of its values, the error may rise by the factor exp(1.92 / rows) (for errors with a Laplace
/// distribution, the bound of a likelihood ratio in 19 of 20 cases), and by 0.01 percentage points in any case. Throws
/// InputError if too few rows are left, or if, of many values all over the ranges, none lets all rows run.
/// Deterministic, with any number of jobs.
Calibration calibrate(TimeModel& model, const std::vector<FitRange>& ranges, const MeasuredTimes& measured,
                      const CalibrationOptions& options);

/// As a percentage: `1.25 %`.
std::string percent_of_error(const Ratio& error);
/// For a person: the sentence, a table of parameters, and a line that can be pasted.
std::string calibration_text(const Calibration& calibration);
/// `{parameters: [{path, value, low, high, knowledge}], error_fitted, error_held_out, ...}`.
void write_calibration_json(const Calibration& calibration, Sink& sink);
/// A row per parameter.
void write_calibration_csv(const Calibration& calibration, Sink& sink);

}  // namespace gdsim
