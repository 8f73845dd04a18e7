#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace gdsim {

/// 128-bit integers hold integrals over time: threads x picoseconds outgrow 64 bits.
__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

/// Returns the decimal digits of `value`, with a leading '-' if it is negative. Thread-safe.
std::string to_text(Int128 value);

/// A non-negative number exactly as it was written in decimal: digits x 10^exponent.
/// Up to 36 significant digits, exponent within +-60: enough for any quantity a person writes.
///
///     const gdsim::Decimal ten = gdsim::Decimal::whole(10);
///     const gdsim::Decimal tenth = gdsim::parse_decimal("0.1").value.value();
///     std::cout << gdsim::round_product({ten, tenth}).value() << '\n';  // 1, exactly
struct Decimal {
  UInt128 digits = 0;
  int exponent = 0;

  static constexpr Decimal whole(std::uint64_t value) { return {value, 0}; }
  constexpr bool is_zero() const { return digits == 0; }
};

/// A value read from a text, or why it could not be read: `is negative`, `is not a number`.
template <class T>
struct Parsed {
  std::optional<T> value;
  std::string problem;
};

/// Reads `12`, `0.25`, `1e-3`. Refuses signs, hexadecimal, NaN, infinity, separators, a leading 0 as in
/// `014`. Thread-safe.
Parsed<Decimal> parse_decimal(std::string_view text);

/// Returns the shortest notation without an exponent: 0.1, 45.3, 2000. Thread-safe.
std::string to_text(const Decimal& value);

/// Returns an approximation, for estimates only. It is the same on every machine. Thread-safe.
double approximate(const Decimal& value);

/// A non-negative fraction; `denominator` is not 0.
struct Ratio {
  UInt128 numerator = 0;
  UInt128 denominator = 1;
};

/// Returns the product of all factors and `scale`, rounded once to the nearest integer, halves up.
/// Returns nullopt if it does not fit into 63 bits. Thread-safe.
std::optional<std::int64_t> round_product(std::initializer_list<Decimal> factors, Ratio scale = {1, 1});

/// As round_product(), but rounded up. Thread-safe.
std::optional<std::int64_t> round_product_up(std::initializer_list<Decimal> factors, Ratio scale = {1, 1});

/// Returns true if value x scale is an integer. Thread-safe.
bool is_whole(const Decimal& value, std::uint64_t scale);

/// Returns true if |found - expected| <= tolerance, exactly. Thread-safe.
bool is_within(Ratio found, const Decimal& expected, const Decimal& tolerance);

/// Returns true if found >= bound, exactly. Thread-safe.
bool is_at_least(Ratio found, const Decimal& bound);

/// Returns true if |found - expected| <= tolerance_percent / 100 x expected, exactly. Thread-safe.
bool is_within_percent(Ratio found, Ratio expected, const Decimal& tolerance_percent);

/// Returns `ratio` with a fixed number of decimals, 0 to 18, rounded half away from zero. Thread-safe.
///
///     std::cout << gdsim::to_fixed(result.record.mean_occupancy(), 1) << " %\n";
std::string to_fixed(Ratio ratio, int decimals);

/// Returns -1 if a < b, 0 if a == b, 1 if a > b. Thread-safe.
int compare(const Decimal& a, const Decimal& b);

}  // namespace gdsim
