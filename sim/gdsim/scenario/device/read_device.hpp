#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/core_resources.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace gdsim {

/// Reads a scenario's `device:` (a name, a path, or a mapping with or without `base:`), or a device file's whole
/// mapping. Paths are relative to the folder `near`. If `mode` is given, its text names the device's mode to use. Adds
/// all problems; returns nullopt if there is one.
std::optional<DeviceSpec> read_device(const YamlNode& device, const std::filesystem::path& near, ModelLibrary& models,
                                      const ValueReader& values, const YamlNode* mode = nullptr);

/// Reads a `dispatch:` mapping over `rules`, key by key. It may name the kernel choices `own`, which have no issue.
void read_dispatch(const YamlNode& node, DispatchRules& rules, const ValueReader& values,
                   std::span<const OwnKernelChoice> own_choices = {});

/// Reads `power: {limit: 350 W, idle: 60 W, period: 1 ms, per_busy_context: {1.755 GHz: 75 mW, 1.095 GHz: 40 mW}}`, or
/// `none`, which removes a base's rule.
void read_power(const YamlNode& node, std::optional<PowerRule>& power, const ValueReader& values);

/// Reads the value of a device's `clock`: a frequency, or frequencies by the time from which they apply.
void read_clock(const YamlNode& node, DeviceSpec& device, const ValueReader& values);

/// Returns the value of a capability's key, or null if the device has none (`none`, which is noted under this path in
/// DeviceSpec::lacks), or if that is not known (`unknown`, or no value).
const YamlNode* known_value(const YamlNode* value, std::string path, DeviceSpec& device);

/// Reads the resources that threads of a device share while they execute: `slm_access`, `l1`, `atomics`,
/// `memory`.
void read_sharing(const MapReader& map, DeviceSpec& device);

/// Reads `dispatch: {preemption: ...}`.
void read_preemption(const YamlNode& node, PreemptionRule& rule, const ValueReader& values);

/// A name of the caller's kernel choices that is empty, or stands there twice, or is that of a built-in one.
Issues check_own_kernel_choices(std::span<const OwnKernelChoice> own_choices);

/// Reads `kernel_choice`: a built-in one, or one of `own`, which have no issue.
void read_kernel_choice(const YamlNode& node, std::span<const OwnKernelChoice> own_choices, DispatchRules& rules,
                        const ValueReader& values);

/// Reads `ascending`, `evens_then_odds`, or a list of the cores in order, of the key `tie_order`, which must be there.
void read_tie_order(const MapReader& map, TieOrder& order);

/// Reads a time, all of it serial, or a mapping of the two parts.
void read_launch_cost(const YamlNode& node, LaunchCost& cost, const ValueReader& values);

/// Without a clock, drops dispatch times that count cycles, and the latency of SLM; steps that use SLM are then
/// refused. Families have such values for the devices that name a clock.
void leave_out_cycles(DeviceSpec& device);

}  // namespace gdsim
