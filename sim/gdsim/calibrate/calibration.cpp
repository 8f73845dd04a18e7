#include <gdsim/calibrate/calibration.hpp>

#include <gdsim/calibrate/error_profile.hpp>
#include <gdsim/calibrate/optimiser.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace gdsim {
namespace {

constexpr std::uint64_t kEvaluationsPerParameter = 150;
/// A profile may find better values than the search: then both are repeated, at most so often.
constexpr int kMaxRounds = 3;

struct Rows {
  std::vector<std::size_t> fitted;
  std::vector<std::size_t> held_out;
};

/// The first of the shuffled rows are held out; both in the order of the file.
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

/// The sum of errors up to which the data allow a value.
UInt128 bound_of(UInt128 least, std::size_t rows) {
  constexpr double half_chi_squared = 1.92;  // 19 of 20 cases, one parameter
  constexpr std::uint64_t parts = 1'000'000;
  constexpr std::uint64_t at_least = kErrorUnit / 10'000;
  const double factor = std::exp(half_chi_squared / static_cast<double>(rows));
  const UInt128 risen = least * static_cast<UInt128>(std::llround(factor * static_cast<double>(parts))) / parts;
  return std::max(risen, least + UInt128{at_least} * rows);
}

/// Searches around the best values until that finds none better.
void search_around_best(ErrorSum& error, std::uint64_t evaluations) {
  for (int i = 0; i < kMaxRounds; ++i) {
    const UInt128 before = error(error.best());
    search_nearby(error.objective(), error.place_of(error.best()), evaluations);
    if (error(error.best()) == before) return;
  }
}

/// Searches everywhere, and then around the best values, those of the scenario among them.
void search(ErrorSum& error, const std::optional<Steps>& own, std::uint64_t evaluations) {
  if (own) error(*own);
  search_everywhere(error.objective(), error.dimensions(), (evaluations + 1) / 2);
  search_around_best(error, (evaluations + 1) / 2);
}

FittedParameter fitted(const FitRange& range, std::int64_t value, const ProfileRange& profile) {
  FittedParameter parameter{range.path, range.text(value), range.text(profile.low), range.text(profile.high), {}};
  const bool from_low = profile.low == range.low;
  const bool to_high = profile.high == range.high;
  parameter.knowledge = from_low && to_high ? Knowledge::not_determined
                        : from_low          ? Knowledge::at_most
                        : to_high           ? Knowledge::at_least
                                            : Knowledge::determined;
  return parameter;
}

std::string percent(const Ratio& error) { return to_fixed({error.numerator * 100, error.denominator}, 2) + " %"; }

std::string sentence_of(const Calibration& found) {
  const auto known = std::count_if(found.parameters.begin(), found.parameters.end(),
                                   [](const FittedParameter& one) { return one.knowledge == Knowledge::determined; });
  std::string text =
      fmt::format("The error is {} on the {} rows that were fitted", percent(found.error_fitted), found.rows_fitted);
  if (found.error_held_out)
    text += fmt::format(", and {} on {} that were not", percent(*found.error_held_out), found.rows_held_out);
  text += fmt::format("; the data determine {} of {} parameters.", known, found.parameters.size());
  return text;
}

void fit_and_profile(TimeModel& model, const std::vector<FitRange>& ranges, const Rows& rows,
                     const CalibrationOptions& options, Calibration& found) {
  ErrorSum error(model, ranges, rows.fitted);
  const std::optional<Steps> own = model.own_steps();
  const std::uint64_t evaluations =
      options.evaluations > 0 ? options.evaluations : kEvaluationsPerParameter * ranges.size();
  search(error, own, evaluations);
  std::vector<ProfileRange> profiles;
  Steps best;
  UInt128 bound = 0;
  for (int round = 0; round < kMaxRounds; ++round) {
    best = error.best();
    profiles.clear();
    bound = bound_of(error(best), rows.fitted.size());
    for (std::size_t i = 0; i < ranges.size(); ++i) profiles.push_back(profile_of(error, i, bound));
    if (error(error.best()) == error(best)) break;
    search_around_best(error, (evaluations + 1) / 2);
  }
  best = error.best();
  for (std::size_t i = 0; i < profiles.size(); ++i)  // the last profile may have found better ones
    profiles[i] = {std::min(profiles[i].low, best[i]), std::max(profiles[i].high, best[i])};
  for (std::size_t i = 0; i < ranges.size(); ++i) found.parameters.push_back(fitted(ranges[i], best[i], profiles[i]));
  found.error_fitted = mean_of(error(best), rows.fitted.size());
  found.bound = mean_of(bound, rows.fitted.size());
  if (own) found.error_own = mean_of(error(*own), rows.fitted.size());
  if (rows.held_out.empty()) return;
  found.error_held_out = mean_of(ErrorSum(model, ranges, rows.held_out)(best), rows.held_out.size());
}

}  // namespace

std::string_view name_of(Knowledge knowledge) {
  switch (knowledge) {
    case Knowledge::determined: return "determined";
    case Knowledge::at_least: return "at least";
    case Knowledge::at_most: return "at most";
    case Knowledge::not_determined: break;
  }
  return "not determined";
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
  try {
    Steps middle;
    for (const FitRange& range : ranges) middle.push_back(range.at(0.5));
    std::vector<std::size_t> all = rows.fitted;
    all.insert(all.end(), rows.held_out.begin(), rows.held_out.end());
    model.require_runs(middle, all);
    fit_and_profile(model, ranges, rows, options, found);
  } catch (const CalibrationInterrupted&) {
    found.is_interrupted = true;
    return found;
  }
  found.runs = model.evaluations();
  found.sentence = sentence_of(found);
  return found;
}

}  // namespace gdsim
