#pragma once

#include <gdsim/base/decimal.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace gdsim {

/// A divisor of many numbers. Its reciprocal is computed once, or read from a table if the divisor is small. A dividend
/// below 2^64 is then multiplied by the reciprocal instead of divided. A divisor of 0 may be stored, but not used.
class Divisor {
 public:
  constexpr Divisor() = default;
  constexpr explicit Divisor(std::uint64_t value)
      : value_(value), reciprocal_(value < kSmall.size() ? kSmall[value] : reciprocal_of(value)) {}

  constexpr std::uint64_t value() const { return value_; }

  /// Returns the quotient, rounded up. The dividend must be below 2^128 - value().
  constexpr UInt128 divide_up(UInt128 dividend) const {
    const UInt128 sum = dividend + (value_ - 1);
    return sum >> 64U == 0 ? quotient(static_cast<std::uint64_t>(sum)) : sum / value_;
  }

 private:
  static constexpr std::uint64_t reciprocal_of(std::uint64_t value) {
    return std::numeric_limits<std::uint64_t>::max() / value;
  }
  static constexpr std::array<std::uint64_t, 256> small_reciprocals() {
    std::array<std::uint64_t, 256> all{};
    for (std::size_t value = 1; value < all.size(); ++value) all[value] = reciprocal_of(value);
    return all;
  }
  static const std::array<std::uint64_t, 256> kSmall;

  /// reciprocal_ / 2^64 is below 1 / value_ by at most 2^-64. So the estimate is the quotient or one less.
  constexpr std::uint64_t quotient(std::uint64_t dividend) const {
    const auto estimate = static_cast<std::uint64_t>((UInt128{dividend} * reciprocal_) >> 64U);
    return estimate + (dividend - estimate * value_ >= value_ ? 1 : 0);
  }

  std::uint64_t value_ = 1;
  std::uint64_t reciprocal_ = reciprocal_of(1);  ///< 2^64 - 1 divided by the value, rounded down
};

inline constexpr std::array<std::uint64_t, 256> Divisor::kSmall = small_reciprocals();

}  // namespace gdsim
