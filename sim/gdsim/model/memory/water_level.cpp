#include <gdsim/model/memory/water_level.hpp>

namespace gdsim {
namespace {

constexpr int kDemandBits = 40;

}  // namespace

std::optional<Fraction> water_level(std::span<const Demand> demands, Fraction bandwidth) {
  Fraction left = bandwidth;
  Fraction weight;  // sum over the demands that have not reached their caps
  Fraction lowest;  // the last cap: all remaining demands get at least this rate
  for (const Demand& demand : demands) weight = weight + demand.weight;
  for (const Demand& demand : demands) {
    if (weight.is_zero()) break;
    if (left.is_zero()) return lowest;  // because of rounding: less than one part in 2^43 of the bandwidth is left
    if (left < demand.cap * weight) return left / weight;
    const Fraction used = demand.weight * demand.cap;
    left = left < used ? Fraction() : left - used;
    weight = weight < demand.weight ? Fraction() : weight - demand.weight;
    lowest = demand.cap;
  }
  return std::nullopt;
}

UInt128 demand_of(Fraction rate) {
  return ((UInt128{rate.numerator()} << kDemandBits) + rate.denominator() - 1) / rate.denominator();
}

UInt128 uncontended_threshold(Fraction bandwidth) {
  const UInt128 units = (UInt128{bandwidth.numerator()} << kDemandBits) / bandwidth.denominator();
  return units >> (kDemandBits - 20) == 0 ? UInt128{0}
                                          : units * 99 / 100;  // a lower bandwidth is too coarse in 44 bits
}

}  // namespace gdsim
