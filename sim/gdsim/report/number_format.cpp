#include <gdsim/report/number_format.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace gdsim {
namespace {

/// Below 10^decimals.
char* put_digits(char* to, std::uint64_t value, std::size_t decimals) {
  for (std::size_t i = decimals; i-- > 0; value /= 10) to[i] = static_cast<char>('0' + value % 10);
  return to + decimals;
}

/// `scale` is 10^decimals.
char* put_with_decimals(char* to, std::uint64_t value, std::uint64_t scale, std::size_t decimals) {
  to = put_count(to, value / scale);
  *to++ = '.';
  return put_digits(to, value % scale, decimals);
}

template <class Put>
void append(std::string& text, Put put) {
  std::array<char, kMaxNumberText> digits;
  text.append(digits.data(), put(digits.data()));
}

}  // namespace

char* put_count(char* to, std::uint64_t value) { return std::to_chars(to, to + kMaxNumberText, value).ptr; }

char* put_nanoseconds(char* to, Duration time) {
  return put_with_decimals(to, static_cast<std::uint64_t>(time.count), 1'000, 3);
}

char* put_fraction(char* to, Ratio value) {
  constexpr std::uint64_t scale = 10'000;
  constexpr UInt128 small = std::numeric_limits<std::uint64_t>::max() / (4 * scale);
  if (value.numerator < small && value.denominator < small) {
    const auto denominator = static_cast<std::uint64_t>(value.denominator);
    const auto twice = 2 * scale * static_cast<std::uint64_t>(value.numerator);
    return put_with_decimals(to, (twice + denominator) / (2 * denominator), scale, 4);
  }
  const std::string text = to_fixed(value, 4);
  return std::copy(text.begin(), text.end(), to);
}

void append_count(std::string& text, std::uint64_t value) {
  append(text, [&](char* to) { return put_count(to, value); });
}

void append_nanoseconds(std::string& text, Duration time) {
  append(text, [&](char* to) { return put_nanoseconds(to, time); });
}

void append_seconds(std::string& text, SimTime time) {
  append(text, [&](char* to) {
    return put_with_decimals(to, static_cast<std::uint64_t>(time.count), 1'000'000'000'000, 12);
  });
}

void append_fraction(std::string& text, Ratio value) {
  append(text, [&](char* to) { return put_fraction(to, value); });
}

}  // namespace gdsim
