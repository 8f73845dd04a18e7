#pragma once

#include "oracle/recording.hpp"

#include <optional>
#include <vector>

// A clock that follows power: after each period, the highest listed clock under which the device would have stayed
// within the limit with the contexts held in that period; else the lowest.

namespace gdsim::oracle {

/// Returns the first change of the clock that follows from the load of a run and that the run lacks; nullopt: it had
/// all changes. The run was on this device, whose clock changes at given times, until `end`.
std::optional<ClockChange> first_missing_change(const PowerRule& rule, const DeviceSpec& device,
                                                const std::vector<DeviceRow>& rows, Time end);

}  // namespace gdsim::oracle
