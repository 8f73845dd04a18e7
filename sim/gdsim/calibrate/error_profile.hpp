#pragma once

#include <gdsim/calibrate/fit_range.hpp>
#include <gdsim/calibrate/optimiser.hpp>
#include <gdsim/calibrate/time_model.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

/// The sum of the errors of some rows, by the values of the parameters. Remembers the best values that it was asked
/// for; of equal ones the first. All references must outlive it.
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
  /// The mean error by place.
  Objective objective();
  /// The mean error by the places of all parameters but one, which has this value.
  Objective objective_without(std::size_t parameter, std::int64_t value);
  const Steps& best() const { return best_; }

 private:
  double mean(const Steps& steps);

  TimeModel& model_;
  const std::vector<FitRange>& ranges_;
  std::vector<std::size_t> rows_;
  Steps best_;
  UInt128 least_ = 0;
};

/// The values of a parameter that the data allow, from the lowest to the highest around the best one.
struct ProfileRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// Where the least error that the other parameters can give stays within `bound`, around `best`: its ends are found by
/// bisection, to a thousandth of the range or a step.
ProfileRange profile_of(ErrorSum& error, const Steps& best, std::size_t parameter, UInt128 bound);

}  // namespace gdsim
