#include <gdsim/base/fraction.hpp>

#include <algorithm>

namespace gdsim {
namespace {

constexpr UInt128 kLimit = UInt128{1} << 44;

UInt128 greatest_common_divisor(UInt128 a, UInt128 b) {
  while (b != 0) {
    a %= b;
    std::swap(a, b);
  }
  return a;
}

}  // namespace

Fraction::Fraction(UInt128 numerator, UInt128 denominator) {
  if (numerator == 0) return;
  const UInt128 common = greatest_common_divisor(numerator, denominator);
  numerator /= common;
  denominator /= common;
  while (numerator >= kLimit || denominator >= kLimit) {
    numerator >>= 1;
    denominator >>= 1;
  }
  numerator_ = std::max<std::uint64_t>(static_cast<std::uint64_t>(numerator), 1);
  denominator_ = std::max<std::uint64_t>(static_cast<std::uint64_t>(denominator), 1);
}

Fraction operator+(Fraction a, Fraction b) {
  return {a.scaled_by(b) + b.scaled_by(a), UInt128{a.denominator_} * b.denominator_};
}

Fraction operator-(Fraction a, Fraction b) {
  return {a.scaled_by(b) - b.scaled_by(a), UInt128{a.denominator_} * b.denominator_};
}

Fraction operator*(Fraction a, Fraction b) {
  return {UInt128{a.numerator_} * b.numerator_, UInt128{a.denominator_} * b.denominator_};
}

Fraction operator/(Fraction a, Fraction b) {
  return {UInt128{a.numerator_} * b.denominator_, UInt128{a.denominator_} * b.numerator_};
}

}  // namespace gdsim
