#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

namespace gdsim {

/// Reads the resources that threads of a device share while they execute: `fused_engines`, `slm_access`, `l1`,
/// `atomics`, `barrier_cost`, `memory`.
void read_sharing(const MapReader& map, DeviceSpec& device);

}  // namespace gdsim
