#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace gdsim {

// Decimal digits, written into the caller's buffer. All functions are inline, so that tables of millions of rows make
// no call per cell.

/// The maximum length of what a put_...() function writes.
inline constexpr std::size_t kMaxNumberText = 64;

namespace digits {

/// 00, 01, up to 99.
inline constexpr std::array<char, 200> kPairs = [] {
  std::array<char, 200> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = static_cast<char>('0' + (i % 2 == 0 ? i / 20 : i / 2 % 10));
  return pairs;
}();

/// Powers of ten that 64 bits hold.
inline constexpr std::array<std::uint64_t, 20> kPowers = [] {
  std::array<std::uint64_t, 20> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = 10 * powers[i - 1];
  return powers;
}();

constexpr char digit(std::uint64_t value) { return static_cast<char>('0' + value); }

/// `value` must be below 100.
inline void put_pair(char* to, std::uint64_t value) { std::memcpy(to, &kPairs[2 * value], 2); }

/// Returns the number of digits: at least 1, also for 0.
constexpr std::size_t count(std::uint64_t value) {
  const auto bits = static_cast<std::size_t>(std::bit_width(value | 1U));
  const std::size_t at_least = bits * 1233 >> 12U;  // log10(2) is almost 1233 / 4096
  return at_least + (value >= kPowers[at_least] ? 1 : 0);
}

}  // namespace digits

/// Writes plain digits. Returns their end.
inline char* put_count(char* to, std::uint64_t value) {
  if (value < 10) {
    *to = digits::digit(value);
    return to + 1;
  }
  char* const end = to + digits::count(value);
  char* at = end;
  for (; value >= 100; value /= 100) digits::put_pair(at -= 2, value % 100);
  if (value >= 10) {
    digits::put_pair(at - 2, value);
  } else {
    at[-1] = digits::digit(value);
  }
  return end;
}

/// Writes nanoseconds with three decimals: 12.345. `time` must not be negative. Returns their end.
inline char* put_nanoseconds(char* to, Duration time) {
  const auto picoseconds = static_cast<std::uint64_t>(time.count);
  to = put_count(to, picoseconds / 1'000);
  to[0] = '.';
  to[1] = digits::digit(picoseconds % 1'000 / 100);
  digits::put_pair(to + 2, picoseconds % 100);
  return to + 4;
}

/// Writes to `to` what append_fraction() appends; there must be room for it. Returns its end.
char* put_fraction(char* to, Ratio value);

/// Appends plain digits.
void append_count(std::string& text, std::uint64_t value);
/// Appends nanoseconds with three decimals: 12.345. `time` must not be negative.
void append_nanoseconds(std::string& text, Duration time);
/// Appends seconds with twelve decimals. `time` must not be negative.
void append_seconds(std::string& text, SimTime time);
/// Appends four decimals, halves away from zero: 45.2381.
void append_fraction(std::string& text, Ratio value);

/// `amount / capacity` in percent, for append_fraction.
constexpr Ratio percent_of(std::uint64_t amount, std::uint64_t capacity) { return {UInt128{amount} * 100, capacity}; }

/// `304 threads · 45.2 %`, `tail 0–4096 threads · 31.0 %`
std::string phase_label(const Phase& phase, const RunView& view);

/// `304`, or `0–4096` (with this dash) for a band, ramp or tail.
std::string phase_threads_text(const Phase& phase, std::string_view dash = "–");

/// `45.2 %` of all contexts.
std::string occupancy_text(std::uint64_t threads, const RunView& view);

}  // namespace gdsim
