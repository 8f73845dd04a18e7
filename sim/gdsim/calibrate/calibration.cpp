#include <gdsim/calibrate/calibration.hpp>

#include <gdsim/calibrate/time_model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

namespace gdsim {
namespace {

constexpr std::uint64_t kEvaluationsPerParameter = 150;
/// The maximum number of repetitions of search and profiles, since a profile may find better values than the search.
constexpr int kMaxRounds = 3;

struct Rows {
  std::vector<std::size_t> fitted;
  std::vector<std::size_t> held_out;
};

/// Holds out the first of the shuffled rows. Both parts are in the order of the file.
Rows split_rows(std::size_t count, const CalibrationOptions& options) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  std::mt19937_64 random(options.seed);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  const std::size_t held = (count * options.held_out_percent + 50) / 100;
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(held);
  Rows rows{{middle, order.end()}, {order.begin(), middle}};
  std::sort(rows.fitted.begin(), rows.fitted.end());
  std::sort(rows.held_out.begin(), rows.held_out.end());
  return rows;
}

Ratio mean_of(UInt128 sum, std::size_t rows) { return {sum, static_cast<UInt128>(rows) * kErrorUnit}; }

/// Returns the maximum sum of errors at which the data allow a value.
UInt128 bound_of(UInt128 least, std::size_t rows) {
  constexpr double half_chi_squared = 1.92;  // 19 of 20 cases, one parameter
  constexpr std::uint64_t parts = 1'000'000;
  constexpr std::uint64_t at_least = kErrorUnit / 10'000;
  const double factor = std::exp(half_chi_squared / static_cast<double>(rows));
  const UInt128 risen = least * static_cast<UInt128>(std::llround(factor * static_cast<double>(parts))) / parts;
  return std::max(risen, least + UInt128{at_least} * rows);
}

/// Searches around the best values until no better ones are found.
void search_around_best(ErrorSum& error, std::uint64_t evaluations) {
  for (int i = 0; i < kMaxRounds; ++i) {
    const UInt128 before = error(error.best());
    search_nearby(error.objective(), error.place_of(error.best()), evaluations);
    if (error(error.best()) == before) return;
  }
}

/// Returns the n-th point of Halton's sequence, which fills the unit cube evenly.
Place evenly_spread(std::uint64_t n, std::size_t dimensions) {
  constexpr std::array<std::uint64_t, 12> bases{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  Place place;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::uint64_t base = bases[i % bases.size()];
    double coordinate = 0;
    double part = 1;
    for (std::uint64_t left = n; left > 0; left /= base) {
      part /= static_cast<double>(base);
      coordinate += part * static_cast<double>(left % base);
    }
    place.push_back(coordinate);
  }
  return place;
}

/// Returns values with which all rows run: the scenario's own, the middle, the ends, or others all over the ranges. If
/// there are none, throws InputError with the reasons that hold in the middle.
Steps values_that_run(TimeModel& model, const ErrorSum& error, const std::optional<Steps>& own,
                      const std::vector<std::size_t>& rows) {
  constexpr std::uint64_t most = 64;
  const auto runs = [&](const Steps& steps) {
    const std::vector<RowError> errors = model.errors(steps, rows);
    return std::find(errors.begin(), errors.end(), kNoTime) == errors.end();
  };
  if (own && runs(*own)) return *own;
  const Steps middle = error.nearest(Place(error.dimensions(), 0.5));
  for (const double all : {0.5, 0.0, 1.0})
    if (const Steps steps = error.nearest(Place(error.dimensions(), all)); runs(steps)) return steps;
  for (std::uint64_t n = 1; n <= most; ++n)
    if (const Steps steps = error.nearest(evenly_spread(n, error.dimensions())); runs(steps)) return steps;
  std::vector<Diagnostic> problems = model.refusals(middle, rows);
  // It runs, but takes so much longer than measured that the row error is kNoTime.
  if (problems.empty())
    throw InputError(
        "with no values of these ranges does every row last less than a million times as long as measured");
  problems.front().message += "; the same of other values in the ranges of --fit";
  throw InputError(std::move(problems));
}

/// Searches everywhere, then around the best values, including those of the scenario.
void search(ErrorSum& error, const std::optional<Steps>& own, std::uint64_t evaluations) {
  if (own) error(*own);
  search_everywhere(error.objective(), error.dimensions(), (evaluations + 1) / 2);
  search_around_best(error, (evaluations + 1) / 2);
}

FittedParameter fitted(const FitRange& range, std::int64_t value, const ProfileRange& profile) {
  FittedParameter parameter{range.path, range.text(value), range.text(profile.low), range.text(profile.high),
                            {},         profile.low_end,   profile.high_end};
  const bool has_low = profile.low_end == RangeEnd::data;
  const bool has_high = profile.high_end == RangeEnd::data;
  parameter.knowledge = has_low && has_high ? Knowledge::determined
                        : has_low           ? Knowledge::at_least
                        : has_high          ? Knowledge::at_most
                                            : Knowledge::not_determined;
  return parameter;
}

std::string sentence_of(const Calibration& found) {
  const auto known =
      std::count_if(found.parameters.begin(), found.parameters.end(),
                    [](const FittedParameter& parameter) { return parameter.knowledge == Knowledge::determined; });
  std::string text = fmt::format("The error is {} on the {} rows that were fitted",
                                 percent_of_error(found.error_fitted), found.rows_fitted);
  if (found.error_held_out)
    text += fmt::format(", and {} on {} that were not", percent_of_error(*found.error_held_out), found.rows_held_out);
  text += fmt::format("; the data determine {} of {} parameters.", known, found.parameters.size());
  return text;
}

void note_errors(ErrorSum& error, const std::optional<Steps>& own, const Rows& rows, Calibration& found) {
  found.error_fitted = mean_of(error(error.best()), rows.fitted.size());
  if (own && !error.is_refused(*own)) found.error_own = mean_of(error(*own), rows.fitted.size());
}

void fit_and_profile(ErrorSum& error, const std::optional<Steps>& own, const Rows& rows, std::uint64_t evaluations,
                     Calibration& found) {
  search(error, own, evaluations);
  std::vector<ProfileRange> profiles;
  Steps best;
  UInt128 bound = 0;
  for (int round = 0; round < kMaxRounds; ++round) {
    best = error.best();
    profiles.clear();
    bound = bound_of(error(best), rows.fitted.size());
    for (std::size_t i = 0; i < error.dimensions(); ++i) profiles.push_back(profile_of(error, i, bound));
    if (error(error.best()) == error(best)) break;
    search_around_best(error, (evaluations + 1) / 2);
  }
  best = error.best();
  for (std::size_t i = 0; i < profiles.size(); ++i) {  // the last profile may have found better ones
    profiles[i].low = std::min(profiles[i].low, best[i]);
    profiles[i].high = std::max(profiles[i].high, best[i]);
    found.parameters.push_back(fitted(error.range(i), best[i], profiles[i]));
  }
  found.bound = mean_of(bound, rows.fitted.size());
  note_errors(error, own, rows, found);
}

/// The result of an interrupted fit: the best values so far.
void keep_best(ErrorSum& error, Calibration& found) {
  found.is_interrupted = true;
  if (!error.has_run()) return;
  const Steps best = error.best();
  for (std::size_t i = 0; i < best.size(); ++i) {
    FittedParameter& parameter = found.parameters.emplace_back();
    parameter.path = error.range(i).path;
    parameter.value = error.range(i).text(best[i]);
    parameter.knowledge = Knowledge::open;
  }
  found.sentence = fmt::format(
      "Interrupted: the best values so far, with an error of {} on the {} rows that were fitted; how far the data "
      "determine them was not looked at.",
      percent_of_error(found.error_fitted), found.rows_fitted);
}

}  // namespace

std::string percent_of_error(const Ratio& error) {
  return to_fixed({error.numerator * 100, error.denominator}, 2) + " %";
}

std::string_view name_of(Knowledge knowledge) {
  switch (knowledge) {
    case Knowledge::determined: return "determined";
    case Knowledge::at_least: return "at least";
    case Knowledge::at_most: return "at most";
    case Knowledge::open: return "open";
    case Knowledge::not_determined: break;
  }
  return "not determined";
}

std::string_view name_of(RangeEnd end) {
  switch (end) {
    case RangeEnd::data: return "data";
    case RangeEnd::refused: return "refused";
    case RangeEnd::range: break;
  }
  return "range";
}

Calibration calibrate(TimeModel& model, const std::vector<FitRange>& ranges, const MeasuredTimes& measured,
                      const CalibrationOptions& options) {
  const Rows rows = split_rows(measured.rows.size(), options);
  if (rows.fitted.size() < ranges.size())
    throw InputError(
        fmt::format("{} parameters cannot be fitted to {} rows ({} are held out); measure more, or fit fewer",
                    ranges.size(), rows.fitted.size(), rows.held_out.size()));
  Calibration found;
  found.title = model.title();
  found.rows_fitted = rows.fitted.size();
  found.rows_held_out = rows.held_out.size();
  found.seed = options.seed;
  ErrorSum error(model, ranges, rows.fitted);
  const std::optional<Steps> own = model.own_steps();
  try {
    std::vector<std::size_t> all = rows.fitted;
    all.insert(all.end(), rows.held_out.begin(), rows.held_out.end());
    error(values_that_run(model, error, own, all));
    fit_and_profile(error, own, rows,
                    options.evaluations > 0 ? options.evaluations : kEvaluationsPerParameter * ranges.size(), found);
    if (!rows.held_out.empty())
      found.error_held_out = mean_of(ErrorSum(model, ranges, rows.held_out)(error.best()), rows.held_out.size());
  } catch (const CalibrationInterrupted&) {
    if (error.has_run()) found.error_fitted = mean_of(error(error.best()), rows.fitted.size());
    found.parameters.clear();
    keep_best(error, found);
    found.runs = model.evaluations();
    return found;
  }
  found.runs = model.evaluations();
  found.sentence = sentence_of(found);
  return found;
}

}  // namespace gdsim
