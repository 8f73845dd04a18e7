#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/run/simulate.hpp>

#include <vector>

namespace gdsim {

/// The clocks that the load of a run of this device, which has `power`, asks for up to the run's end: also at its end,
/// where a change may be why it ends there. The run kept its resident threads.
std::vector<ClockChange> clocks_for_load(const DeviceSpec& device, const RunResult& run);

}  // namespace gdsim
