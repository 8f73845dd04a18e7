#include <gdsim/calibrate/error_profile.hpp>

#include <utility>

namespace gdsim {
namespace {

constexpr std::size_t kEvaluationsPerOther = 25;
constexpr int kMaxBisections = 10;

Place without(Place place, std::size_t parameter) {
  place.erase(place.begin() + static_cast<std::ptrdiff_t>(parameter));
  return place;
}

Place with_value(Place others, std::size_t parameter, double value) {
  others.insert(others.begin() + static_cast<std::ptrdiff_t>(parameter), value);
  return others;
}

/// The least error that the others can give where the parameter has this value; `start` becomes the values.
UInt128 least_with(ErrorSum& error, std::size_t parameter, std::int64_t value, UInt128 enough, Steps& start) {
  start[parameter] = value;
  UInt128 least = error(start);
  if (error.dimensions() == 1 || least <= enough) return least;
  const Place others = without(error.place_of(start), parameter);
  const Place found =
      search_nearby(error.objective_without(parameter, value), others, kEvaluationsPerOther * (error.dimensions() - 1));
  Steps steps = error.nearest(with_value(found, parameter, 0));
  steps[parameter] = value;
  if (error(steps) < least) {
    least = error(steps);
    start = steps;
  }
  return least;
}

/// The last allowed value on the way from the best one to an end of the range.
std::int64_t end_of(ErrorSum& error, const Steps& best, std::size_t parameter, std::int64_t end, UInt128 bound) {
  const FitRange& range = error.range(parameter);
  Steps start = best;
  if (least_with(error, parameter, end, bound, start) <= bound) return end;
  std::int64_t inside = best[parameter];
  std::int64_t outside = end;
  start = best;
  for (int i = 0; i < kMaxBisections; ++i) {
    const std::int64_t middle = range.at((range.place_of(inside) + range.place_of(outside)) / 2);
    if (middle == inside || middle == outside) break;
    Steps tried = start;
    if (least_with(error, parameter, middle, bound, tried) <= bound) {
      inside = middle;
      start = tried;
    } else {
      outside = middle;
    }
  }
  return inside;
}

}  // namespace

UInt128 ErrorSum::operator()(const Steps& steps) {
  UInt128 sum = 0;
  for (const RowError error : model_.errors(steps, rows_)) sum += error;
  if (best_.empty() || sum < least_) {
    best_ = steps;
    least_ = sum;
  }
  return sum;
}

double ErrorSum::mean(const Steps& steps) {
  return static_cast<double>((*this)(steps)) / static_cast<double>(kErrorUnit) / static_cast<double>(rows_.size());
}

Steps ErrorSum::nearest(const Place& place) const {
  Steps steps;
  for (std::size_t i = 0; i < ranges_.size(); ++i) steps.push_back(ranges_[i].at(place[i]));
  return steps;
}

Place ErrorSum::place_of(const Steps& steps) const {
  Place place;
  for (std::size_t i = 0; i < ranges_.size(); ++i) place.push_back(ranges_[i].place_of(steps[i]));
  return place;
}

Objective ErrorSum::objective() {
  return [this](const Place& place) { return mean(nearest(place)); };
}

Objective ErrorSum::objective_without(std::size_t parameter, std::int64_t value) {
  return [this, parameter, value](const Place& others) {
    Steps steps = nearest(with_value(others, parameter, 0));
    steps[parameter] = value;
    return mean(steps);
  };
}

ProfileRange profile_of(ErrorSum& error, const Steps& best, std::size_t parameter, UInt128 bound) {
  const FitRange& range = error.range(parameter);
  return {end_of(error, best, parameter, range.low, bound), end_of(error, best, parameter, range.high, bound)};
}

}  // namespace gdsim
