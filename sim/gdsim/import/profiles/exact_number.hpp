#pragma once

#include <gdsim/base/decimal.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gdsim {

/// The number that a tool printed, x 10^`exponent`, rounded once to a whole number, halves up: `506.66026` milliseconds
/// are, with 9, 506660260000 picoseconds. Reads signs, leading zeros, exponents, and commas that part thousands.
/// Nothing if it is no number, or its value leaves 96 bits.
std::optional<Int128> scaled_number(std::string_view text, int exponent);

/// A whole number from 0 to `most`. `12.0` is whole, too.
std::optional<std::uint64_t> whole_number(std::string_view text, std::uint64_t most);

/// The power of ten that makes picoseconds of a unit of time: 3 of `ns`, `nsecond`, `nanoseconds`. Nothing if it is
/// none of `ps ns us ms s` and their longer words.
std::optional<int> time_exponent(std::string_view unit);

/// Bytes of a unit: 1 of `B`, `byte`, `byte/block`; 1000 of `KB` and `Kbyte`; 1024 of `KiB`. Nothing if it is none.
std::optional<std::uint64_t> bytes_of_unit(std::string_view unit);

/// Bytes of shared memory that a tool printed, rounded to the decimals of `text` in a unit of `unit` bytes: of the
/// whole numbers that it may stand for the one that is a multiple of 1024, 128, 16 or 4, in this order, if there is one
/// of a kind; else the number as it stands. Nothing if it is no number.
std::optional<std::uint64_t> snapped_bytes(std::string_view text, std::uint64_t unit);

}  // namespace gdsim
