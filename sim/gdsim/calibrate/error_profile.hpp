#pragma once

#include <gdsim/calibrate/fit_range.hpp>
#include <gdsim/calibrate/optimiser.hpp>
#include <gdsim/calibrate/time_model.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace gdsim {

/// The sum of the errors of some rows, by the values of the parameters. Remembers all values that it was asked for.
/// All references must outlive it.
class ErrorSum {
 public:
  ErrorSum(TimeModel& model, const std::vector<FitRange>& ranges, std::vector<std::size_t> rows)
      : model_(model), ranges_(ranges), rows_(std::move(rows)) {}

  UInt128 operator()(const Steps& steps);
  std::size_t dimensions() const { return ranges_.size(); }
  const FitRange& range(std::size_t parameter) const { return ranges_[parameter]; }
  /// The values at a place of the unit cube, and where values are.
  Steps nearest(const Place& place) const;
  Place place_of(const Steps& steps) const;
  /// With these values a row cannot be run.
  bool is_refused(const Steps& steps) { return (*this)(steps) >= kNoTime; }
  /// It was asked for values with which all rows run.
  bool has_run() const;
  /// The mean error by place.
  Objective objective();
  /// The mean error by the places of all parameters but one, which has this value.
  Objective objective_without(std::size_t parameter, std::int64_t value);
  /// Of the values that it was asked for those of the least error; of equal ones the lowest.
  const Steps& best() const;
  /// Likewise of those that have this parameter within an eighth of its range around a place; nothing if none has.
  const Steps* best_near(std::size_t parameter, double place) const;
  /// Of those whose error is within the bound, the ones with the lowest and the highest value of the parameter; there
  /// is one.
  const Steps& lowest(std::size_t parameter, UInt128 bound) const;
  const Steps& highest(std::size_t parameter, UInt128 bound) const;

 private:
  double mean(const Steps& steps);

  TimeModel& model_;
  const std::vector<FitRange>& ranges_;
  std::vector<std::size_t> rows_;
  std::map<Steps, UInt128> seen_;
};

/// Why the values of a parameter that the data allow end where they do.
enum class RangeEnd : std::uint8_t {
  data,    ///< beyond, the error rises above the bound
  range,   ///< it is the end of the range that was searched
  refused  ///< beyond, a row cannot be run: that says nothing about the data
};

/// The values of a parameter that the data allow, from the lowest to the highest.
struct ProfileRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
  RangeEnd low_end = RangeEnd::range;
  RangeEnd high_end = RangeEnd::range;
};

/// Where the least error that the other parameters can give is within `bound`, which the best is. It is looked for all
/// over the range, for it may be so in several places, which all belong to the answer; its ends are found by bisection.
ProfileRange profile_of(ErrorSum& error, std::size_t parameter, UInt128 bound);

}  // namespace gdsim
