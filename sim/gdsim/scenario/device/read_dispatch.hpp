#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <span>

namespace gdsim {

/// Reads `dispatch: {preemption: ...}`.
void read_preemption(const YamlNode& node, PreemptionRule& rule, const ValueReader& values);

/// A name of the caller's kernel choices that is empty, or stands there twice, or is that of a built-in one.
Issues check_own_kernel_choices(std::span<const OwnKernelChoice> own);

/// Reads `kernel_choice`: a built-in one, or one of `own`, which have no issue.
void read_kernel_choice(const YamlNode& node, std::span<const OwnKernelChoice> own, DispatchRules& rules,
                        const ValueReader& values);

/// Reads the times and the order of dispatch: `interval`, `recovery`, `batch`, `tie_order` of `dispatch`.
void read_dispatch_timing(const MapReader& dispatch, DispatchRules& rules);

/// Reads `ascending`, `evens_then_odds`, or a list of the cores in order.
void read_tie_order(const YamlNode& node, TieOrder& order, const ValueReader& values);

/// Reads a time, all of it serial, or a mapping of the two parts.
void read_launch_cost(const YamlNode& node, LaunchCost& cost, const ValueReader& values);

/// Without a clock, drops dispatch times that count cycles, and the latency of SLM; steps that use SLM are then
/// refused. Families have such values for the devices that name a clock.
void leave_out_cycles(DeviceSpec& device);

}  // namespace gdsim
