#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/device/core_resources.hpp>

#include <string_view>

namespace gdsim {

/// A lower-case letter, then lower-case letters, digits and underscores; not `l1`, the key of accesses that stands
/// beside kinds. Thread-safe, as all below.
bool is_kind_name(std::string_view kind);

/// What a name that is none of a kind lacks, in words.
inline constexpr std::string_view kKindNameFault =
    "is no name of a kind of arithmetic: a lower-case letter, then lower-case letters, digits and underscores, as in "
    "fp32 or tensor_fp16; l1 is none";

/// Its amounts are multiply-adds of a thread, not instructions.
bool is_tensor_kind(std::string_view kind);

/// Rates are multiples of a millionth, from a millionth to a million.
bool is_arithmetic_rate(const Decimal& rate);

/// The rate of this kind; null if the device does not name it.
const Decimal* rate_of(const ArithmeticRule& arithmetic, std::string_view kind);

}  // namespace gdsim
