#pragma once

#include <gdsim/device/core_resources.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

namespace gdsim {

/// `power: {limit: 350 W, idle: 60 W, period: 1 ms, per_busy_context: {1.755 GHz: 75 mW, 1.095 GHz: 40 mW}}`
void read_power(const YamlNode& node, PowerRule& rule, const ValueReader& values);

}  // namespace gdsim
