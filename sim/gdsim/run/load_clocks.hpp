#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/run/simulate.hpp>

#include <vector>

namespace gdsim {

/// Returns the clocks that the load of a run of this device, which has `power`, requests up to `end`, which must not be
/// before the run's end: also at `end`, where a change may be the reason for the end. The run must have kept its
/// resident threads, and held the last of them until `end`.
std::vector<ClockChange> clocks_for_load(const DeviceSpec& device, const RunResult& run, SimTime end);

}  // namespace gdsim
