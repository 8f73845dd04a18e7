#pragma once

#include <gdsim/base/decimal.hpp>

#include <cstdint>

namespace gdsim {

/// A non-negative rational number in lowest terms, for rates. Both parts stay below 2^44, so that products with a
/// time and a fixed-point scale fit into 128 bits. What needs more is rounded to 44 bits (one part in 10^13); a
/// positive number never becomes 0.
class Fraction {
 public:
  constexpr Fraction() = default;
  /// `denominator` is not 0.
  Fraction(UInt128 numerator, UInt128 denominator);

  std::uint64_t numerator() const { return numerator_; }
  std::uint64_t denominator() const { return denominator_; }
  bool is_zero() const { return numerator_ == 0; }

  friend Fraction operator+(Fraction a, Fraction b);
  /// `a` is at least `b`.
  friend Fraction operator-(Fraction a, Fraction b);
  friend Fraction operator*(Fraction a, Fraction b);
  /// `b` is not 0.
  friend Fraction operator/(Fraction a, Fraction b);
  friend bool operator<(Fraction a, Fraction b) { return a.scaled_by(b) < b.scaled_by(a); }
  friend bool operator==(Fraction a, Fraction b) { return a.scaled_by(b) == b.scaled_by(a); }

 private:
  UInt128 scaled_by(Fraction other) const { return UInt128{numerator_} * other.denominator_; }

  std::uint64_t numerator_ = 0;
  std::uint64_t denominator_ = 1;
};

}  // namespace gdsim
