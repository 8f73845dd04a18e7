#pragma once

#include "oracle/recording.hpp"

#include <optional>
#include <vector>

// A clock that follows power: after each period, the highest clock of those listed under which the device would have
// stayed within the limit with as many contexts held as in that period; else the lowest.

namespace gdsim::oracle {

/// The first change of the clock that the load of a run asks for, and that it did not have: it ran on this device,
/// whose clock changes at given times, until `end`. Nothing: it had all.
std::optional<ClockChange> first_missing_change(const PowerRule& rule, const DeviceSpec& device,
                                                const std::vector<DeviceRow>& rows, Time end);

}  // namespace gdsim::oracle
