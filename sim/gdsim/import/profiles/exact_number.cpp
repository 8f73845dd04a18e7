#include <gdsim/import/profiles/exact_number.hpp>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

constexpr int kMaxExponent = 40;
constexpr Int128 kMost = Int128{1} << 96;

/// The value is digits x 10^exponent, without a sign.
struct Parts {
  Int128 digits = 0;
  int exponent = 0;
  bool has_digits = false;
  bool is_read = true;
};

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

/// Returns true if the comma separates thousands: exactly three digits follow.
bool parts_thousands(std::string_view text, std::size_t at) {
  if (at == 0 || !is_decimal(text[at - 1]) || at + 3 >= text.size()) return false;
  for (std::size_t i = 1; i <= 3; ++i)
    if (!is_decimal(text[at + i])) return false;
  return at + 4 == text.size() || !is_decimal(text[at + 4]);
}

int exponent_of(std::string_view text, bool& is_read) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  int value = 0;
  is_read = !text.empty() && text.size() <= 3;
  if (!is_read) return 0;
  for (const char c : text) {
    is_read = is_read && is_decimal(c);
    value = value * 10 + (c - '0');
  }
  return is_negative ? -value : value;
}

Parts parts_of(std::string_view text) {
  Parts parts;
  bool is_behind_point = false;
  for (std::size_t i = 0; i < text.size() && parts.is_read; ++i) {
    const char c = text[i];
    if (is_decimal(c)) {
      parts.has_digits = true;
      if (parts.digits < kMost) {
        parts.digits = parts.digits * 10 + (c - '0');
        if (is_behind_point) --parts.exponent;
      } else if (!is_behind_point) {
        parts.is_read = false;
      }
    } else if (c == '.' && !is_behind_point) {
      is_behind_point = true;
    } else if (c == ',' && !is_behind_point && parts_thousands(text, i)) {
      continue;
    } else if ((c == 'e' || c == 'E') && parts.has_digits) {
      parts.exponent += exponent_of(text.substr(i + 1), parts.is_read);
      return parts;
    } else {
      parts.is_read = false;
    }
  }
  return parts;
}

}  // namespace

std::optional<Int128> scaled_number(std::string_view text, int exponent) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  Parts parts = parts_of(text);
  if (!parts.is_read || !parts.has_digits) return std::nullopt;
  parts.exponent += exponent;
  if (parts.digits == 0) return 0;
  if (parts.exponent > kMaxExponent) return std::nullopt;
  for (; parts.exponent > 0; --parts.exponent) {
    if (parts.digits > kMost / 10) return std::nullopt;
    parts.digits *= 10;
  }
  if (parts.exponent < -kMaxExponent) return 0;
  for (; parts.exponent < -1; ++parts.exponent) parts.digits /= 10;
  if (parts.exponent == -1) parts.digits = (parts.digits + 5) / 10;
  if (parts.digits > kMost) return std::nullopt;
  return is_negative ? -parts.digits : parts.digits;
}

std::optional<std::uint64_t> whole_number(std::string_view text, std::uint64_t most) {
  const Parts parts = parts_of(text);
  if (!parts.is_read || !parts.has_digits || parts.exponent > kMaxExponent) return std::nullopt;
  Int128 digits = parts.digits;
  int exponent = digits == 0 ? 0 : parts.exponent;
  for (; exponent < 0 && digits % 10 == 0; ++exponent) digits /= 10;
  if (exponent < 0) return std::nullopt;
  for (; exponent > 0 && digits <= Int128{most}; --exponent) digits *= 10;
  if (digits > Int128{most}) return std::nullopt;
  return static_cast<std::uint64_t>(digits);
}

std::optional<std::uint64_t> bytes_of_unit(std::string_view unit) {
  unit = unit.substr(0, unit.find('/'));
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 18> units{{{"B", 1},
                                                                              {"byte", 1},
                                                                              {"bytes", 1},
                                                                              {"b", 1},
                                                                              {"KB", 1'000},
                                                                              {"kB", 1'000},
                                                                              {"Kbyte", 1'000},
                                                                              {"kbyte", 1'000},
                                                                              {"MB", 1'000'000},
                                                                              {"Mbyte", 1'000'000},
                                                                              {"mbyte", 1'000'000},
                                                                              {"GB", 1'000'000'000},
                                                                              {"Gbyte", 1'000'000'000},
                                                                              {"gbyte", 1'000'000'000},
                                                                              {"KiB", 1 << 10},
                                                                              {"MiB", 1 << 20},
                                                                              {"GiB", 1 << 30},
                                                                              {"kib", 1 << 10}}};
  for (const auto& [name, bytes] : units)
    if (name == unit) return bytes;
  return std::nullopt;
}

std::optional<std::uint64_t> snapped_bytes(std::string_view text, std::uint64_t unit) {
  constexpr int kPlaces = 6;
  const auto millionths = scaled_number(text, kPlaces);
  if (!millionths || *millionths < 0 || *millionths > (Int128{1} << 60)) return std::nullopt;
  const std::size_t point = text.find('.');
  const std::size_t decimals = point == std::string_view::npos ? 0 : text.size() - point - 1;
  Int128 half = Int128{unit} * 500'000;  // half of the last decimal, in millionths of a byte
  for (std::size_t i = 0; i < decimals && half > 0; ++i) half /= 10;
  const Int128 middle = *millionths * Int128{unit};
  const Int128 million = 1'000'000;
  const Int128 first = (std::max<Int128>(middle - half, 0) + million - 1) / million;
  const Int128 last = (middle + half) / million;
  if (unit > 1 && middle > 0)
    for (const int step : {1024, 128, 16, 4}) {
      const Int128 candidate = (first + step - 1) / step * step;
      if (candidate <= last && candidate > 0 && candidate + step > last) return static_cast<std::uint64_t>(candidate);
    }
  return static_cast<std::uint64_t>((middle + million / 2) / million);
}

}  // namespace gdsim
