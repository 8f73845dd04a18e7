#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace gdsim {

/// An integer function that grows with an argument: max(0, floor((numerator x argument + addend) / denominator)).
struct TripExpression {
  std::uint32_t argument = 0;
  std::int64_t numerator = 1;
  std::int64_t addend = 0;
  std::int64_t denominator = 1;

  std::int64_t trips_at(std::int64_t value) const;
};

/// Observed trips, by the argument's value.
using TripSamples = std::map<std::int64_t, std::int64_t>;

/// The simplest expression that gives all samples: powers of two as denominators first, and addends that round down or
/// up; nothing if there is none. Values and trips are at most 2^32.
std::optional<TripExpression> line_through(const TripSamples& samples);

}  // namespace gdsim
