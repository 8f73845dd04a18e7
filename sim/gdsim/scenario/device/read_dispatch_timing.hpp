#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

namespace gdsim {

/// Reads how long dispatch takes and in which order: `interval`, `recovery`, `batch`, `tie_order` of `dispatch`.
void read_dispatch_timing(const MapReader& dispatch, DispatchRules& rules);

/// `ascending`, `evens_then_odds`, or the cores themselves in order.
void read_tie_order(const YamlNode& node, TieOrder& order, const ValueReader& values);

/// A time, all of which is serial, or a mapping of the two parts.
void read_launch_cost(const YamlNode& node, LaunchCost& cost, const ValueReader& values);

/// Without a clock, times of dispatch that count cycles are not in force, nor is the latency of SLM, whose steps are
/// refused then: families carry them for devices that name one.
void leave_out_cycles(DeviceSpec& device);

}  // namespace gdsim
