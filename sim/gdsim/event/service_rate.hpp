#pragma once

#include <gdsim/base/arithmetic.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace gdsim {

/// Work in units of 2^-20 (of a picosecond of service, or of a byte).
using FixedPoint = UInt128;
inline constexpr int kFixedBits = 20;
inline constexpr FixedPoint to_fixed_point(std::int64_t work) { return static_cast<FixedPoint>(work) << kFixedBits; }
/// Whole units, at most 2^63 - 1 of them.
inline constexpr std::int64_t rounded_down(FixedPoint work) { return static_cast<std::int64_t>(work >> kFixedBits); }
inline constexpr std::int64_t rounded_up(FixedPoint work) { return rounded_down(work + to_fixed_point(1) - 1); }

/// A rate at which a pool serves each of its members, per picosecond.
///
/// What members have received is read from a virtual clock: a sum of work_in() over the times between the instants at
/// which the pool advances. Each advance rounds it up by less than 2^-20 of a unit. So rounding never makes a member
/// late, and each advance during its service makes it early by less than 2^-20 of a unit. The time of its finish is
/// then rounded up to a picosecond.
class ServiceRate {
 public:
  ServiceRate() = default;
  explicit ServiceRate(Fraction rate) : numerator_(rate.numerator()), denominator_(rate.denominator()) {}

  bool is(Fraction rate) const {
    return rate.numerator() == numerator_.value() && rate.denominator() == denominator_.value();
  }

  /// Returns the work that a member receives in this time, rounded up.
  FixedPoint work_in(Duration elapsed) const {
    const auto time = static_cast<std::uint64_t>(elapsed.count);
    return denominator_.divide_up((UInt128{time} * numerator_.value()) << kFixedBits);
  }

  /// Returns the time until a member has received this work. If it has already, by rounding up, that is a picosecond.
  /// The rate must not be 0.
  Duration time_for(FixedPoint work) const {
    // Rounding up twice equals rounding up once.
    const UInt128 units = (work * denominator_.value() + to_fixed_point(1) - 1) >> kFixedBits;
    const UInt128 wait = numerator_.divide_up(std::max<UInt128>(units, 1));
    if (wait > static_cast<UInt128>(std::numeric_limits<std::int64_t>::max())) detail::raise_time_overflow();
    return Duration{static_cast<std::int64_t>(wait)};
  }

 private:
  // The numerator divides work to find the time of a finish; the denominator divides time.
  Divisor numerator_{0};
  Divisor denominator_;
};

}  // namespace gdsim
