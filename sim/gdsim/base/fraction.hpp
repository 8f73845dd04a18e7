#pragma once

#include <gdsim/base/decimal.hpp>

#include <cstdint>

namespace gdsim {

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

}  // namespace gdsim
