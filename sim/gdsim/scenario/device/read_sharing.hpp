#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <string>

namespace gdsim {

/// Returns the value of a capability's key, or null if the device has none (`none`, which is noted under this path in
/// DeviceSpec::lacks), or if that is not known (`unknown`, or no value).
const YamlNode* known_value(const YamlNode* value, std::string path, DeviceSpec& device);

/// Reads the resources that threads of a device share while they execute: `fused_engines`, `slm_access`, `l1`,
/// `atomics`, `barrier_cost`, `memory`.
void read_sharing(const MapReader& map, DeviceSpec& device);

}  // namespace gdsim
