#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/report/digits.hpp>

#include <cstdint>
#include <string>

namespace gdsim {

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

}  // namespace gdsim
