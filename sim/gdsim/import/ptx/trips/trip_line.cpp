#include <gdsim/import/ptx/trips/trip_line.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {
namespace {

/// An expression with this denominator and numerator 1: the addends for which all samples are right form a range, and
/// the simplest of them is used.
std::optional<TripExpression> with_denominator(const TripSamples& samples, std::int64_t denominator) {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  for (const auto& [value, trips] : samples) {
    if (trips > 0) low = std::max(low, denominator * trips - value);
    high = std::min(high, denominator * (trips + 1) - 1 - value);
  }
  if (low > high) return std::nullopt;
  const auto is_allowed = [&](std::int64_t addend) { return low <= addend && addend <= high; };
  TripExpression line;
  line.denominator = denominator;
  line.addend = low > 0 ? low : high;
  for (const std::int64_t simple : {denominator - 1, std::int64_t{0}})
    if (is_allowed(simple)) line.addend = simple;
  return line;
}

/// An expression with the difference of the trips of two successive values as numerator.
std::optional<TripExpression> with_numerator(const TripSamples& samples) {
  for (auto at = samples.begin(); at != samples.end(); ++at) {
    const auto next = std::next(at);
    if (next == samples.end() || next->first != at->first + 1 || at->second == 0) continue;
    TripExpression line;
    line.numerator = next->second - at->second;
    line.addend = at->second - line.numerator * at->first;
    const bool is_right = std::all_of(samples.begin(), samples.end(),
                                      [&](const auto& sample) { return line.trips_at(sample.first) == sample.second; });
    return is_right && line.numerator > 1 ? std::optional(line) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::int64_t TripExpression::trips_at(std::int64_t value) const {
  const std::int64_t whole = numerator * value + addend;
  return whole <= 0 ? 0 : whole / denominator;
}

std::optional<TripExpression> line_through(const TripSamples& samples) {
  constexpr std::int64_t max_power = std::int64_t{1} << 24;
  constexpr std::int64_t max_other = 4096;
  for (std::int64_t denominator = 1; denominator <= max_power; denominator *= 2)
    if (auto line = with_denominator(samples, denominator)) return line;
  for (std::int64_t denominator = 3; denominator <= max_other; ++denominator)
    if (auto line = with_denominator(samples, denominator)) return line;
  return with_numerator(samples);
}

}  // namespace gdsim
