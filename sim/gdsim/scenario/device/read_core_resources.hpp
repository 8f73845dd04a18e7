#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <string>
#include <string_view>

namespace gdsim {

/// Reads a device's allocation rules: slots, barriers, SLM, register files.
void read_allocation(const MapReader& map, DeviceSpec& device);

/// Reads a number, at least `min`, or `unlimited`.
void read_limit(const YamlNode& node, std::string_view name, std::uint64_t min, std::optional<std::uint64_t>& limit,
                const ValueReader& values);

/// Returns the value of a capability's key, or null if the device has none (`none`, which is noted under this path in
/// DeviceSpec::lacks), or if that is not known (`unknown`, or no value).
const YamlNode* known_value(const YamlNode* value, std::string path, DeviceSpec& device);

/// Reads the resources that threads of a device share while they execute: `fused_engines`, `slm_access`, `l1`,
/// `atomics`, `barrier_cost`, `memory`.
void read_sharing(const MapReader& map, DeviceSpec& device);

}  // namespace gdsim
