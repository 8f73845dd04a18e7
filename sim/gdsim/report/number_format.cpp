#include <gdsim/report/number_format.hpp>

#include <fmt/format.h>

#include <iterator>
#include <limits>

namespace gdsim {
namespace {

void append_with_decimals(std::string& text, std::uint64_t value, std::uint64_t scale, std::size_t decimals) {
  const fmt::format_int whole(value / scale);
  const fmt::format_int rest(value % scale);
  text.append(whole.data(), whole.size());
  text.push_back('.');
  text.append(decimals - rest.size(), '0');
  text.append(rest.data(), rest.size());
}

}  // namespace

void append_count(std::string& text, std::uint64_t value) {
  const fmt::format_int digits(value);
  text.append(digits.data(), digits.size());
}

void append_nanoseconds(std::string& text, Duration time) {
  append_with_decimals(text, static_cast<std::uint64_t>(time.count), 1'000, 3);
}

void append_seconds(std::string& text, SimTime time) {
  append_with_decimals(text, static_cast<std::uint64_t>(time.count), 1'000'000'000'000, 12);
}

void append_fraction(std::string& text, Ratio value) {
  constexpr std::uint64_t scale = 10'000;
  constexpr UInt128 small = std::numeric_limits<std::uint64_t>::max() / (4 * scale);
  if (value.numerator < small && value.denominator < small) {
    const auto denominator = static_cast<std::uint64_t>(value.denominator);
    const auto twice = 2 * scale * static_cast<std::uint64_t>(value.numerator);
    append_with_decimals(text, (twice + denominator) / (2 * denominator), scale, 4);
  } else {
    text += to_fixed(value, 4);
  }
}

}  // namespace gdsim
