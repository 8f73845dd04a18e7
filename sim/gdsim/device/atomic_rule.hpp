#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>

namespace gdsim {

/// Rates are multiples of a thousandth, from a thousandth to a thousand.
bool is_atomic_rate(const Decimal& rate);

/// Cycles that one address needs for `accesses` / `addresses` accesses, rounded up to a millionth. `accesses` up to
/// 2^30, `addresses` at least 1; the rate is_atomic_rate().
StepTime cycles_in_turn(const Decimal& rate, std::uint64_t accesses, std::uint64_t addresses);

}  // namespace gdsim
