#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/core_resources.hpp>
#include <gdsim/device/device_spec.hpp>

#include <cstdint>

namespace gdsim {

/// Returns true if the rate is a multiple of a thousandth, from a thousandth to a thousand.
bool is_atomic_rate(const Decimal& rate);

/// Returns the cycles that one address needs for `accesses` / `addresses` accesses, rounded up to a millionth.
/// `accesses` must be at most 2^30, `addresses` at least 1, and the rate is_atomic_rate().
StepTime cycles_in_turn(const Decimal& rate, std::uint64_t accesses, std::uint64_t addresses);

/// Returns the cycles for which a thread occupies the device if its work-items make `accesses` accesses, spread evenly
/// over `addresses` addresses of global memory: the cycles that one address needs for its share or, if more, those that
/// all accesses need at the total rate. `rule` must have a `global` rate; otherwise as for cycles_in_turn().
StepTime cycles_of_global_atomics(const AtomicRule& rule, std::uint64_t accesses, std::uint64_t addresses);

/// Returns the cycles for which one atomic access of a thread keeps the banks busy: those of an access to neighbouring
/// words of 4 bytes or, if more, those that the address with the most work-items needs, times the accesses that are
/// served side by side. The rate must be is_atomic_rate(), `addresses` at least 1.
StepTime cycles_per_slm_atomic(const SlmAccess& slm, const Decimal& rate, std::uint32_t sub_group,
                               std::uint64_t addresses);

}  // namespace gdsim
