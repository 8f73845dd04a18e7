#pragma once

#include <gdsim/base/decimal.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gdsim {

/// Returns the printed number x 10^`exponent`, rounded once to a whole number, halves up: `506.66026` milliseconds and
/// 9 give 506660260000 picoseconds. Accepts signs, leading zeros, exponents, and commas between thousands. Returns
/// nullopt if the text is no number, or its value exceeds 96 bits.
std::optional<Int128> scaled_number(std::string_view text, int exponent);

/// Returns a whole number from 0 to `most`, or nullopt. `12.0` is whole, too.
std::optional<std::uint64_t> whole_number(std::string_view text, std::uint64_t most);

/// Returns the bytes of a unit, or nullopt: 1 of `B`, `byte`, `byte/block`; 1000 of `KB` and `Kbyte`; 1024 of `KiB`.
std::optional<std::uint64_t> bytes_of_unit(std::string_view unit);

/// Returns the bytes of shared memory that a tool printed in units of `unit` bytes, rounded to the decimals of `text`.
/// Among the whole numbers that `text` may represent, the result is the only multiple of 1024, 128, 16 or 4, in this
/// order; if there is none, it is the printed number. Returns nullopt if the text is no number.
std::optional<std::uint64_t> snapped_bytes(std::string_view text, std::uint64_t unit);

}  // namespace gdsim
