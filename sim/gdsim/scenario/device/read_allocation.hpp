#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <string_view>

namespace gdsim {

/// Reads a device's allocation rules: slots, barriers, SLM, register files.
void read_allocation(const MapReader& map, DeviceSpec& device);

/// Reads a number, at least `min`, or `unlimited`.
void read_limit(const YamlNode& node, std::string_view name, std::uint64_t min, std::optional<std::uint64_t>& limit,
                const ValueReader& values);

}  // namespace gdsim
