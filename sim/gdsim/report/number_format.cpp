#include <gdsim/report/number_format.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace gdsim {
namespace {

/// `decimals` must be even.
template <std::size_t decimals>
char* put_with_decimals(char* to, std::uint64_t value) {
  constexpr std::uint64_t scale = digits::kPowers[decimals];
  to = put_count(to, value / scale);
  *to++ = '.';
  value %= scale;
  for (std::size_t i = decimals; i > 0; value /= 100) digits::put_pair(to + (i -= 2), value % 100);
  return to + decimals;
}

template <class Put>
void append(std::string& text, Put put) {
  std::array<char, kMaxNumberText> number;
  text.append(number.data(), put(number.data()));
}

}  // namespace

char* put_fraction(char* to, Ratio value) {
  constexpr std::uint64_t scale = 10'000;
  constexpr UInt128 small = std::numeric_limits<std::uint64_t>::max() / (4 * scale);
  if (value.numerator < small && value.denominator < small) {
    const auto denominator = static_cast<std::uint64_t>(value.denominator);
    const auto twice = 2 * scale * static_cast<std::uint64_t>(value.numerator);
    return put_with_decimals<4>(to, (twice + denominator) / (2 * denominator));
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
  append(text, [&](char* to) { return put_with_decimals<12>(to, static_cast<std::uint64_t>(time.count)); });
}

void append_fraction(std::string& text, Ratio value) {
  append(text, [&](char* to) { return put_fraction(to, value); });
}

std::string phase_threads_text(const Phase& phase, std::string_view dash) {
  if (phase.kind == PhaseShape::constant) return std::to_string(phase.resident);
  return fmt::format("{}{}{}", phase.min_resident, dash, phase.max_resident);
}

std::string phase_label(const Phase& phase, const RunView& view) {
  const std::string kind = phase.kind == PhaseShape::constant ? "" : std::string(name_of(phase.kind)) + " ";
  return kind + phase_threads_text(phase) + " " + view.terms.thread +
         (phase_threads_text(phase) == "1" ? " · " : "s · ") +
         to_fixed(phase.occupancy_percent(view.record.contexts_total), 1) + " %";
}

std::string occupancy_text(std::uint64_t threads, const RunView& view) {
  return to_fixed(percent_of(threads, view.record.contexts_total), 1) + " %";
}

}  // namespace gdsim
