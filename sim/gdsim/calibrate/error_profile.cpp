#include <gdsim/calibrate/calibration.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace gdsim {
namespace {

constexpr std::size_t kEvaluationsPerOther = 25;
constexpr int kMaxBisections = 8;
constexpr std::size_t kGrid = 8;

Place without(Place place, std::size_t parameter) {
  place.erase(place.begin() + static_cast<std::ptrdiff_t>(parameter));
  return place;
}

Place with_value(Place other_parameters, std::size_t parameter, double value) {
  other_parameters.insert(other_parameters.begin() + static_cast<std::ptrdiff_t>(parameter), value);
  return other_parameters;
}

/// Returns the minimum error over the other parameters with this parameter at `value`; sets `start` to their values.
UInt128 least_with(ErrorSum& error, std::size_t parameter, std::int64_t value, UInt128 enough, Steps& start) {
  start[parameter] = value;
  UInt128 least = error(start);
  if (error.dimensions() == 1 || least <= enough) return least;
  const Place other_parameters = without(error.place_of(start), parameter);
  const Place found = search_nearby(error.objective_without(parameter, value), other_parameters,
                                    kEvaluationsPerOther * (error.dimensions() - 1));
  Steps steps = error.nearest(with_value(found, parameter, 0));
  steps[parameter] = value;
  if (error(steps) < least) {
    least = error(steps);
    start = steps;
  }
  return least;
}

struct ProfileEnd {
  std::int64_t value = 0;
  RangeEnd why = RangeEnd::range;
};

/// Returns the last allowed value between an allowed one, of `inside`, and a value that is not allowed.
ProfileEnd end_between(ErrorSum& error, Steps inside, std::int64_t outside, std::size_t parameter, UInt128 bound) {
  const FitRange& range = error.range(parameter);
  Steps beyond = inside;
  bool is_refused = least_with(error, parameter, outside, bound, beyond) >= kNoTime;
  for (int i = 0; i < kMaxBisections; ++i) {
    const std::int64_t middle = range.at((range.place_of(inside[parameter]) + range.place_of(outside)) / 2);
    if (middle == inside[parameter] || middle == outside) break;
    Steps tried = inside;
    const UInt128 least = least_with(error, parameter, middle, bound, tried);
    if (least <= bound) {
      inside = tried;
    } else {
      outside = middle;
      is_refused = least >= kNoTime;
    }
  }
  return {inside[parameter], is_refused ? RangeEnd::refused : RangeEnd::data};
}

/// Returns the values at which the whole range is tried, ascending.
std::vector<std::int64_t> grid_of(const FitRange& range) {
  std::vector<std::int64_t> grid;
  for (std::size_t i = 0; i <= kGrid; ++i) {
    const std::int64_t value = range.at(static_cast<double>(i) / static_cast<double>(kGrid));
    if (grid.empty() || value > grid.back()) grid.push_back(value);
  }
  return grid;
}

bool is_lower(const std::pair<const Steps, UInt128>& a, const std::pair<const Steps, UInt128>& b) {
  return a.second < b.second;
}

}  // namespace

UInt128 ErrorSum::operator()(const Steps& steps) {
  if (const auto known = seen_.find(steps); known != seen_.end()) return known->second;
  UInt128 sum = 0;
  for (const RowError error : model_.errors(steps, rows_)) sum += error;
  seen_.emplace(steps, sum);
  return sum;
}

bool ErrorSum::has_run() const { return !seen_.empty() && seen_.at(best()) < kNoTime; }

const Steps& ErrorSum::best() const { return std::min_element(seen_.begin(), seen_.end(), is_lower)->first; }

const Steps* ErrorSum::best_near(std::size_t parameter, double fraction) const {
  constexpr double near = 0.125;
  const std::pair<const Steps, UInt128>* best = nullptr;
  for (const auto& seen : seen_) {
    const double away = ranges_[parameter].place_of(seen.first[parameter]) - fraction;
    if (-near <= away && away <= near && (best == nullptr || is_lower(seen, *best))) best = &seen;
  }
  return best == nullptr ? nullptr : &best->first;
}

const Steps& ErrorSum::lowest(std::size_t parameter, UInt128 bound) const {
  const Steps* found = &best();
  for (const auto& [steps, sum] : seen_)
    if (sum <= bound && steps[parameter] < (*found)[parameter]) found = &steps;
  return *found;
}

const Steps& ErrorSum::highest(std::size_t parameter, UInt128 bound) const {
  const Steps* found = &best();
  for (const auto& [steps, sum] : seen_)
    if (sum <= bound && steps[parameter] > (*found)[parameter]) found = &steps;
  return *found;
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
  return [this, parameter, value](const Place& other_parameters) {
    Steps steps = nearest(with_value(other_parameters, parameter, 0));
    steps[parameter] = value;
    return mean(steps);
  };
}

ProfileRange profile_of(ErrorSum& error, std::size_t parameter, UInt128 bound) {
  const FitRange& range = error.range(parameter);
  const std::vector<std::int64_t> grid = grid_of(range);
  for (const std::int64_t value : grid) {
    Steps start = error.best();
    if (least_with(error, parameter, value, bound, start) <= bound) continue;
    // There may be another local minimum here.
    if (const Steps* near = error.best_near(parameter, range.place_of(value))) start = *near;
    least_with(error, parameter, value, bound, start);
  }
  const Steps lowest = error.lowest(parameter, bound);
  const Steps highest = error.highest(parameter, bound);
  ProfileRange found{lowest[parameter], highest[parameter], RangeEnd::range, RangeEnd::range};
  const auto below = std::lower_bound(grid.begin(), grid.end(), found.low);
  const auto above = std::upper_bound(grid.begin(), grid.end(), found.high);
  if (below != grid.begin()) {
    const ProfileEnd end = end_between(error, lowest, *std::prev(below), parameter, bound);
    found.low = end.value;
    found.low_end = end.why;
  }
  if (above != grid.end()) {
    const ProfileEnd end = end_between(error, highest, *above, parameter, bound);
    found.high = end.value;
    found.high_end = end.why;
  }
  return found;
}

}  // namespace gdsim
