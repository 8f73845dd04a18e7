#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/core_resources.hpp>
#include <gdsim/device/device_spec.hpp>

#include <cstdint>

namespace gdsim {

/// Returns true for multiples of a thousandth, from a thousandth to a thousand.
bool is_atomic_rate(const Decimal& rate);

/// Cycles that one address needs for `accesses` / `addresses` accesses, rounded up to a millionth. `accesses` up to
/// 2^30, `addresses` at least 1; the rate is_atomic_rate().
StepTime cycles_in_turn(const Decimal& rate, std::uint64_t accesses, std::uint64_t addresses);

/// Cycles for which a thread occupies the device with `accesses` accesses of its work-items, spread evenly over
/// `addresses` addresses of global memory: those that one address needs for its share, or, if more, those that all
/// accesses need at the total rate. `rule` has a `global` rate, and its rates are is_atomic_rate(); the rest is as in
/// cycles_in_turn().
StepTime cycles_of_global_atomics(const AtomicRule& rule, std::uint64_t accesses, std::uint64_t addresses);

/// Cycles for which one atomic access of a thread keeps the banks busy: those of an access to neighbouring words of 4
/// bytes, or, if more, those that the address with the most work-items needs, times the accesses that are served side
/// by side. The rate is is_atomic_rate(), `addresses` at least 1.
StepTime cycles_per_slm_atomic(const SlmAccess& slm, const Decimal& rate, std::uint32_t sub_group,
                               std::uint64_t addresses);

}  // namespace gdsim
