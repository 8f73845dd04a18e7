#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace gdsim {

/// Replaces std::bit_cast(), which libc++ 13 (used by the playground) lacks.
template <class To, class From>
constexpr To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>);
  return __builtin_bit_cast(To, from);
}

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

/// A non-negative rational number, for rates. Numerator and denominator stay below 2^44, so that their products with a
/// time and a fixed-point scale fit into 128 bits. A number that needs more bits in lowest terms is rounded: the larger
/// part keeps 44 bits, so a number near 2^k or 2^-k is exact to one part in 2^(43 - k). A positive number never becomes
/// 0; a number of 2^44 or more becomes at least 2^43.
///
/// Numerator and denominator of an equal number may differ: they are reduced to lowest terms only if they would not fit
/// otherwise, because the reduction is slow. No result depends on this.
class Fraction {
 public:
  constexpr Fraction() = default;
  /// `denominator` must not be 0.
  Fraction(UInt128 numerator, UInt128 denominator) {
    const auto low_numerator = static_cast<std::uint64_t>(numerator);
    const auto low_denominator = static_cast<std::uint64_t>(denominator);
    const auto high = static_cast<std::uint64_t>(numerator >> 64U) | static_cast<std::uint64_t>(denominator >> 64U);
    if ((high | (low_numerator | low_denominator) >> kBits) != 0) {
      *this = rounded(numerator, denominator);
    } else if (low_numerator != 0) {
      numerator_ = low_numerator;
      denominator_ = low_denominator;
    }
  }

  std::uint64_t numerator() const { return numerator_; }
  std::uint64_t denominator() const { return denominator_; }
  bool is_zero() const { return numerator_ == 0; }
  bool is_one() const { return numerator_ == denominator_; }
  /// Returns the same number in lowest terms.
  Fraction reduced() const;

  friend Fraction operator+(Fraction a, Fraction b) {
    if (a.denominator_ == b.denominator_) return {UInt128{a.numerator_} + b.numerator_, a.denominator_};
    return {a.scaled_by(b) + b.scaled_by(a), UInt128{a.denominator_} * b.denominator_};
  }
  /// `a` must be at least `b`.
  friend Fraction operator-(Fraction a, Fraction b) {
    if (a.denominator_ == b.denominator_) return {UInt128{a.numerator_} - b.numerator_, a.denominator_};
    return {a.scaled_by(b) - b.scaled_by(a), UInt128{a.denominator_} * b.denominator_};
  }
  friend Fraction operator*(Fraction a, Fraction b) {
    return {UInt128{a.numerator_} * b.numerator_, UInt128{a.denominator_} * b.denominator_};
  }
  /// `b` must not be 0.
  friend Fraction operator/(Fraction a, Fraction b) { return {a.scaled_by(b), b.scaled_by(a)}; }
  friend bool operator<(Fraction a, Fraction b) { return a.scaled_by(b) < b.scaled_by(a); }
  friend bool operator==(Fraction a, Fraction b) { return a.scaled_by(b) == b.scaled_by(a); }

 private:
  static constexpr int kBits = 44;

  static Fraction rounded(UInt128 numerator, UInt128 denominator);
  UInt128 scaled_by(Fraction other) const { return UInt128{numerator_} * other.denominator_; }

  std::uint64_t numerator_ = 0;
  std::uint64_t denominator_ = 1;
};

/// The exact integral of a level over simulated time, in level x picoseconds.
class TimeIntegral {
 public:
  std::uint64_t level() const { return level_; }
  /// Sets the level from `now` on.
  void set_level(std::uint64_t level, SimTime now) {
    sum_ += static_cast<Int128>(level_) * (now - since_).count;
    since_ = now;
    level_ = level;
  }
  /// Returns the integral up to `now`, which must not be before the last change.
  Int128 sum_at(SimTime now) const { return sum_ + static_cast<Int128>(level_) * (now - since_).count; }

 private:
  Int128 sum_ = 0;  ///< up to since_
  SimTime since_;
  std::uint64_t level_ = 0;
};

}  // namespace gdsim
