#pragma once

#include <gdsim/base/int128.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace gdsim {

/// A non-negative number exactly as it was written in decimal: digits x 10^exponent.
/// Up to 36 significant digits, exponent within +-60: enough for any quantity a person writes.
struct Decimal {
  UInt128 digits = 0;
  int exponent = 0;

  static constexpr Decimal whole(std::uint64_t value) { return {value, 0}; }
  constexpr bool is_zero() const { return digits == 0; }
};

/// Either a number or, in words, why the text is none ("is negative", "is not a number", ...).
struct ParsedDecimal {
  std::optional<Decimal> value;
  std::string problem;
};

/// Reads `12`, `0.25`, `1e-3`. Refuses signs, hexadecimal, NaN, infinity, separators, a leading 0 as in
/// `014`.
ParsedDecimal parse_decimal(std::string_view text);

/// The shortest plain notation: 0.1, 45.3, 2000.
std::string to_text(const Decimal& value);

/// A non-negative fraction; `denominator` is not 0.
struct Ratio {
  UInt128 numerator = 0;
  UInt128 denominator = 1;
};

/// The product of all factors times `scale`, rounded once to the nearest integer, halves up.
/// Nothing if it does not fit into 63 bits.
std::optional<std::int64_t> round_product(std::initializer_list<Decimal> factors, Ratio scale = {1, 1});

/// True if value x scale is an integer.
bool is_whole(const Decimal& value, std::uint64_t scale);

/// True if |found - expected| <= tolerance, exactly.
bool is_within(Ratio found, const Decimal& expected, const Decimal& tolerance);

/// True if |found - expected| <= tolerance_percent / 100 x expected, exactly.
bool is_within_percent(Ratio found, Ratio expected, const Decimal& tolerance_percent);

/// `ratio` with a fixed number of decimals, halves away from zero.
std::string to_fixed(Ratio ratio, int decimals);

/// -1, 0 or 1 as a is less than, equal to or greater than b.
int compare(const Decimal& a, const Decimal& b);

}  // namespace gdsim
