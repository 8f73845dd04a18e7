#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/core_resources.hpp>

// Rule, to the picosecond: a clock that follows power.
//
// `power` cuts time into periods, the first from 0 s on. A run begins under the device's `clock`. At the end of each
// period, the clock of the next one is chosen: the highest of those listed under which the device would take no more
// than `limit` if it held as many contexts as in the period that ended, on average. The device takes `idle`, and for
// each context that a thread holds the power listed for the clock. If it would take more than `limit` under every
// clock, the lowest is chosen. A clock is in force from the end of a period on, as one of `clock: {at: ...}` would be.

namespace gdsim {

/// Returns the clock of the period after one in which contexts were held for `busy` context-picoseconds.
Hertz clock_after(const PowerRule& rule, Int128 busy);

}  // namespace gdsim
