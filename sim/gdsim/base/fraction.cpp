#include <gdsim/base/fraction.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace gdsim {
namespace {

bool fits_64_bits(UInt128 number) { return number >> 64 == 0; }

UInt128 greatest_common_divisor(UInt128 a, UInt128 b) {
  while (!fits_64_bits(a) || !fits_64_bits(b)) {
    if (b == 0) return a;
    a %= b;
    std::swap(a, b);
  }
  return std::gcd(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));
}

}  // namespace

Fraction Fraction::rounded(UInt128 numerator, UInt128 denominator) {
  if (numerator == 0) return {};
  const UInt128 common = greatest_common_divisor(numerator, denominator);
  numerator /= common;
  denominator /= common;
  while (((numerator | denominator) >> kBits) != 0) {
    numerator >>= 1;
    denominator >>= 1;
  }
  return {std::max<UInt128>(numerator, 1), std::max<UInt128>(denominator, 1)};
}

Fraction Fraction::reduced() const {
  const std::uint64_t common = std::gcd(numerator_, denominator_);
  return {numerator_ / common, denominator_ / common};
}

}  // namespace gdsim
