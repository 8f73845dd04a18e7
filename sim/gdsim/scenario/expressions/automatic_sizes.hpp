#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/yaml/yaml_node.hpp>

namespace gdsim {

/// Returns true if the kernel has `local: auto` or `sub_group: auto`, or no `sub_group`.
bool has_automatic_sizes(const YamlNode& kernel);

/// Replaces `auto` by numbers, with a rule of this project: real runtimes have their own.
///
/// `local`: in each dimension, the fastest first, the largest number that divides `global` and keeps the work-group
/// within the device's maximum and within the contexts of a core; registers and SLM are ignored. `sub_group`: the
/// device's largest size that divides the work-group, else its smallest; without the key, the only size of a device
/// that has one. Without a device, or if `global` or `local`
/// cannot be read, the number is 1; the problem is reported elsewhere.
void choose_sizes(YamlNode& kernel, const DeviceSpec* device);

}  // namespace gdsim
