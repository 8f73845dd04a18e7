#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/run_record.hpp>

namespace gdsim {

/// Returns the device with the clocks that its `power` brought about in a run.
inline DeviceSpec device_as_run(DeviceSpec device, const RunRecord& record) {
  if (device.power) device.clock_changes = record.clock_changes;
  return device;
}

}  // namespace gdsim
