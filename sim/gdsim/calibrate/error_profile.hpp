#pragma once

#include <gdsim/calibrate/time_model.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
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
  const Steps* best_near(std::size_t parameter, double place) const;
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

}  // namespace gdsim
