#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/divisor.hpp>
#include <gdsim/base/fraction.hpp>
#include <gdsim/base/quantity.hpp>

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

/// The work that each member of a pool has received so far. All members are served at the same rate per picosecond.
///
/// Each advance rounds the reading up by less than 2^-20 of a unit. So rounding never makes a member late, and each
/// advance during its service makes it early by less than 2^-20 of a unit. The time of its finish is then rounded up to
/// a picosecond.
class VirtualClock {
 public:
  FixedPoint at(SimTime now) const {
    if (now == since_) return reading_;
    const auto elapsed = static_cast<std::uint64_t>((now - since_).count);
    return reading_ + denominator_.divide_up((UInt128{elapsed} * numerator_.value()) << kFixedBits);
  }

  void advance(SimTime now) {
    if (now == since_) return;
    reading_ = at(now);
    since_ = now;
  }

  /// Must be called after advance(): the rate applies from the last advance on.
  void set_rate(Fraction rate) {
    if (rate.numerator() != numerator_.value()) numerator_ = Divisor(rate.numerator());
    if (rate.denominator() != denominator_.value()) denominator_ = Divisor(rate.denominator());
  }
  Fraction rate() const { return {numerator_.value(), denominator_.value()}; }

  /// Resets the reading to 0: a pool that has been empty does not depend on its past.
  void reset(SimTime now) {
    reading_ = 0;
    since_ = now;
  }

  /// Returns the time after the last advance at which the reading reaches `target`. If it has reached it already, by
  /// rounding up, that is the next picosecond. The rate must not be 0.
  SimTime when(FixedPoint target) const {
    if (target <= reading_) return since_ + Duration{1};
    // Rounding up twice equals rounding up once.
    const UInt128 work = ((target - reading_) * denominator_.value() + to_fixed_point(1) - 1) >> kFixedBits;
    const UInt128 wait = numerator_.divide_up(work);
    if (wait > static_cast<UInt128>(std::numeric_limits<std::int64_t>::max())) detail::raise_time_overflow();
    return since_ + Duration{static_cast<std::int64_t>(wait)};
  }

 private:
  FixedPoint reading_ = 0;  ///< visited as the distance of what is compared with it
  SimTime since_;
  // The rate. Its numerator divides work to find the time of a finish; its denominator divides time.
  Divisor numerator_{0};  ///< visited as rate()
  Divisor denominator_;   ///< visited as rate()
};

}  // namespace gdsim
