#include <gdsim/base/arithmetic.hpp>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace gdsim {
namespace {

bool fits_64_bits(UInt128 number) { return number >> 64 == 0; }

int bit_width(UInt128 number) {
  const auto high = static_cast<std::uint64_t>(number >> 64);
  const auto low = static_cast<std::uint64_t>(number);
  return high != 0 ? 64 + static_cast<int>(std::bit_width(high)) : static_cast<int>(std::bit_width(low));
}

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
  if (const UInt128 common = greatest_common_divisor(numerator, denominator); common != 1) {
    numerator /= common;
    denominator /= common;
  }
  const int surplus = std::max(bit_width(numerator | denominator) - kBits, 0);
  numerator >>= surplus;
  denominator >>= surplus;
  return {std::max<UInt128>(numerator, 1), std::max<UInt128>(denominator, 1)};
}

Fraction Fraction::reduced() const {
  const std::uint64_t common = std::gcd(numerator_, denominator_);
  return {numerator_ / common, denominator_ / common};
}

}  // namespace gdsim
