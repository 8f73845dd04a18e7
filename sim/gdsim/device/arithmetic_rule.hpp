#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/device/core_resources.hpp>

#include <string_view>

namespace gdsim {

/// Returns true for a lower-case letter, then lower-case letters, digits and underscores, except `l1`, the key of
/// accesses that stands beside kinds. Thread-safe, as are all functions below.
bool is_kind_name(std::string_view kind);

/// The message for a name that is not a kind's name: what it lacks.
inline constexpr std::string_view kKindNameFault =
    "is no name of a kind of arithmetic: a lower-case letter, then lower-case letters, digits and underscores, as in "
    "fp32 or tensor_fp16; l1 is none";

/// Returns true if amounts of the kind are multiply-adds of a thread, not instructions.
bool is_tensor_kind(std::string_view kind);

/// Returns true for multiples of a millionth, from a millionth to a million.
bool is_arithmetic_rate(const Decimal& rate);

/// The rate of `kind`; null if the device does not name it.
const Decimal* rate_of(const ArithmeticRule& arithmetic, std::string_view kind);

}  // namespace gdsim
