#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/core_resources.hpp>
#include <gdsim/device/device_spec.hpp>

#include <cstdint>
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

/// Returns true if the rate is a multiple of a thousandth, from a thousandth to a thousand.
bool is_atomic_rate(const Decimal& rate);

/// Returns the cycles that one address needs for `accesses` / `addresses` accesses, rounded up to a millionth.
/// `accesses` must be at most 2^30, `addresses` at least 1, and the rate is_atomic_rate().
StepTime cycles_in_turn(const Decimal& rate, std::uint64_t accesses, std::uint64_t addresses);

/// Returns the cycles for which a thread occupies the device if its work-items make `accesses` accesses, spread evenly
/// over `addresses` addresses of global memory: the cycles that one address needs for its share or, if more, those that
/// all accesses need at the total rate. An address has a rate of its own for floating-point accesses, if the device
/// names one. `rule` must have a `global` rate; otherwise as for cycles_in_turn().
StepTime cycles_of_global_atomics(const AtomicRule& rule, std::uint64_t accesses, std::uint64_t addresses,
                                  bool is_float);

/// Returns the cycles for which one atomic access of a thread keeps the banks busy: those of an access to neighbouring
/// words of 4 bytes or, if more, those that the address with the most work-items needs, times the accesses that are
/// served side by side. The rate must be is_atomic_rate(), `addresses` at least 1.
StepTime cycles_per_slm_atomic(const SlmAccess& slm, const Decimal& rate, std::uint32_t sub_group,
                               std::uint64_t addresses);

// Rule, to the picosecond: a clock that follows power.
//
// `power` cuts time into periods, the first from 0 s on. A run begins under the device's `clock`. At the end of each
// period, the clock of the next one is chosen: the highest of those listed under which the device would take no more
// than `limit` if it held as many contexts as in the period that ended, on average. The device takes `idle`, and for
// each context that a thread holds the power listed for the clock. If it would take more than `limit` under every
// clock, the lowest is chosen. A clock is in force from the end of a period on, as one of `clock: {at: ...}` would be.

/// Returns the clock of the period after one in which contexts were held for `busy` context-picoseconds.
Hertz clock_after(const PowerRule& rule, Int128 busy);

}  // namespace gdsim
