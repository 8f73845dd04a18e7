#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/fraction.hpp>

#include <optional>
#include <span>

namespace gdsim {

/// Demand of threads for one level of the memory.
struct Demand {
  Fraction cap;     ///< bytes per picosecond and weight: they ask for no more
  Fraction weight;  ///< of all the threads together, as far as they ask this level
};

/// The highest rate per weight at which all together ask for no more than `bandwidth`; nullopt if their caps are so low
/// that any rate will do. `demands` are in order of rising cap.
std::optional<Fraction> water_level(std::span<const Demand> demands, Fraction bandwidth);

// Sums of whole numbers, in units of 2^-40 bytes per picosecond, nearly always show that there is enough.

/// A rate in these units, rounded up.
UInt128 demand_of(Fraction rate);
/// Returns a sum of demands below which rounding of fractions does not matter: water_level() would return nullopt for
/// lower sums, too, but at a higher cost.
UInt128 uncontended_threshold(Fraction bandwidth);

}  // namespace gdsim
