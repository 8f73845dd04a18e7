#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/calibrate/error_profile.hpp>
#include <gdsim/calibrate/time_model.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// What the data determine of a parameter: its value within a range; that it is not below, or not above, a bound; or
/// nothing, for the error hardly rises from one end of what was searched to the other. Where the allowed values end
/// because a row cannot be run beyond, that is no bound of the data. It is open where the fit was interrupted.
enum class Knowledge : std::uint8_t { determined, at_least, at_most, not_determined, open };

/// `determined`, `at least`, `at most`, `not determined`, `open`.
std::string_view name_of(Knowledge knowledge);

/// A parameter that was fitted.
struct FittedParameter {
  std::string path;
  std::string value;  ///< of the least error
  std::string low;    ///< between these the error, the other parameters fitted anew, rises by less than the bound
  std::string high;   ///< both are empty if it is open
  Knowledge knowledge = Knowledge::not_determined;
  RangeEnd low_end = RangeEnd::range;
  RangeEnd high_end = RangeEnd::range;
};

/// `data`, `range`, `refused`.
std::string_view name_of(RangeEnd end);

/// Parameters fitted to measured times, and how good they are. Errors are means of |simulated / measured - 1|.
struct Calibration {
  std::string title;
  std::string measured;  ///< the file
  std::vector<FittedParameter> parameters;
  Ratio error_fitted;                   ///< on the rows that were fitted
  std::optional<Ratio> error_held_out;  ///< on the others
  std::optional<Ratio> error_own;       ///< of the scenario's own values on the fitted rows, where they are in range
  Ratio bound;                          ///< the error up to which a value is one that the data allow
  std::uint64_t rows_fitted = 0;
  std::uint64_t rows_held_out = 0;
  std::uint64_t seed = 0;
  std::uint64_t runs = 0;
  std::string sentence;
  /// A stop was requested: the parameters are the best values up to then, all of them open, and errors are theirs; if
  /// no values had been tried on all rows, there are none.
  bool is_interrupted = false;
};

/// Which rows are fitted, and how long is searched.
struct CalibrationOptions {
  std::uint64_t held_out_percent = 0;  ///< of the rows, chosen by the seed; below 100
  std::uint64_t seed = 0;
  std::uint64_t evaluations = 0;  ///< of all fitted rows, for the best values; 0: 150 for each parameter
};

/// Fits the parameters: the whole of their ranges is searched, then the surroundings of the best values and of the
/// scenario's own. The data determine a parameter as far as the profile of the error says: with the others fitted anew
/// for each of its values, the error may rise by the factor exp(1.92 / rows) (for errors with a Laplace distribution,
/// the bound of a likelihood ratio in 19 of 20 cases), and by 0.01 percentage points in any case. Throws InputError if
/// too few rows are left, or if for none of many values, all over the ranges, all rows can be run. Deterministic, with
/// any number of jobs.
Calibration calibrate(TimeModel& model, const std::vector<FitRange>& ranges, const MeasuredTimes& measured,
                      const CalibrationOptions& options);

}  // namespace gdsim
