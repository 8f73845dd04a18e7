#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/device/core_resources.hpp>

#include <string_view>

namespace gdsim {

/// Returns true for a lower-case letter followed by lower-case letters, digits and underscores, except `l1`, `mma` and
/// `count`: these keys of `issue` stand beside kinds. Thread-safe, as are all functions below.
bool is_kind_name(std::string_view kind);

/// The end of the message about a name that is_kind_name() rejects.
inline constexpr std::string_view kKindNameFault =
    "is no name of a kind of arithmetic: a lower-case letter, then lower-case letters, digits and underscores, as in "
    "fp32 or tensor_fp16; l1, mma and count are none";

/// Returns true if amounts of the kind are multiply-adds of a thread, not instructions.
bool is_tensor_kind(std::string_view kind);

/// Returns true if the rate is a multiple of a millionth, from a millionth to a million.
bool is_arithmetic_rate(const Decimal& rate);

/// Returns the rate of `kind`, or null if the device does not list it.
const Decimal* rate_of(const ArithmeticRule& arithmetic, std::string_view kind);

/// Returns the name of the pipe that executes the kind: `tensor` for all `tensor_` kinds, and the kind itself for
/// others, unless the rate names one.
std::string_view pipe_of(const ArithmeticRate& rate);

}  // namespace gdsim
