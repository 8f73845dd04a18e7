#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/fraction.hpp>

#include <optional>
#include <span>

namespace gdsim {

/// What threads ask one level of the memory for.
struct Demand {
  Fraction cap;     ///< bytes per picosecond and weight: they ask for no more
  Fraction weight;  ///< theirs together, as far as they ask this level
};

/// The highest rate per weight at which all together ask for no more than `bandwidth`; nothing: at any rate, for their
/// caps are low enough. Demands come by rising cap.
std::optional<Fraction> water_level(std::span<const Demand> demands, Fraction bandwidth);

// Nearly always it is plain that there is enough, from sums of whole numbers: units of 2^-40 bytes per picosecond.

/// A rate in these units, rounded up.
UInt128 demand_of(Fraction rate);
/// Demands that sum up to less are so far below `bandwidth` that no rounding of fractions matters: water_level() would
/// return nothing, too, but at a higher cost.
UInt128 uncontended_threshold(Fraction bandwidth);

}  // namespace gdsim
