#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/fraction.hpp>

#include <optional>
#include <span>

namespace gdsim {

/// The demand of threads for the bandwidth of one memory level.
struct Demand {
  Fraction cap;     ///< their maximum demand, in bytes per picosecond and weight
  Fraction weight;  ///< sum of the threads' weights times their share of requests to this level
};

/// Returns the highest rate per weight at which the sum of demands is at most `bandwidth`, or nullopt if their caps do
/// not exceed it at any rate. `demands` must be in ascending order of cap.
std::optional<Fraction> water_level(std::span<const Demand> demands, Fraction bandwidth);

// Integer sums, in units of 2^-40 bytes per picosecond, nearly always show that the bandwidth suffices.

/// Returns a rate in these units, rounded up.
UInt128 demand_of(Fraction rate);
/// Returns a threshold: for lower sums of demands, water_level() would return nullopt, despite the rounding of
/// fractions, but at a higher cost.
UInt128 uncontended_threshold(Fraction bandwidth);

}  // namespace gdsim
