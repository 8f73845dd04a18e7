#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/core_resources.hpp>
#include <gdsim/device/device_spec.hpp>

#include <cstdint>

namespace gdsim {

/// Rates are multiples of a thousandth, from a thousandth to a thousand.
bool is_atomic_rate(const Decimal& rate);

/// Cycles that one address needs for `accesses` / `addresses` accesses, rounded up to a millionth. `accesses` up to
/// 2^30, `addresses` at least 1; the rate is_atomic_rate().
StepTime cycles_in_turn(const Decimal& rate, std::uint64_t accesses, std::uint64_t addresses);

/// Cycles for which a thread with `accesses` accesses of its work-items, which go evenly to `addresses` addresses of
/// global memory, needs the device: as long as one address needs for them, or, if that is longer, as long as all of
/// them need at the total rate. `rule` has a `global` rate, and its rates are is_atomic_rate(); else as
/// cycles_in_turn().
StepTime cycles_of_global_atomics(const AtomicRule& rule, std::uint64_t accesses, std::uint64_t addresses);

/// Cycles for which one atomic access of a thread keeps the banks busy: as an access to neighbouring words of 4 bytes,
/// or, if that is longer, as long as the address to which most of its work-items go needs for them, times the accesses
/// that are served side by side. The rate is is_atomic_rate(), `addresses` at least 1.
StepTime cycles_per_slm_atomic(const SlmAccess& slm, const Decimal& rate, std::uint32_t sub_group,
                               std::uint64_t addresses);

}  // namespace gdsim
