#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/yaml/yaml_node.hpp>

namespace gdsim {

/// The kernel says `local: auto` or `sub_group: auto`.
bool has_automatic_sizes(const YamlNode& kernel);

/// Puts numbers in the place of `auto`, by a rule of ours: real runtimes have rules of their own.
///
/// `local`: in each dimension, the fastest first, the largest number that divides `global` and keeps the work-group
/// within the device's largest, and within the contexts of a core; registers and SLM are not looked at. `sub_group`:
/// the device's largest size that divides the work-group, else its smallest. Without a device, or where `global` or
/// `local` cannot be read, 1 stands for what is reported elsewhere.
void choose_sizes(YamlNode& kernel, const DeviceSpec* device);

}  // namespace gdsim
