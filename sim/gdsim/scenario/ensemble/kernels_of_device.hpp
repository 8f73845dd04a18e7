#pragma once

#include <gdsim/scenario/ensemble/own_device.hpp>
#include <gdsim/yaml/yaml_node.hpp>

namespace gdsim {

/// Removes from `kernels:` of a scenario the kernels that only other devices run, since this device may be unable to
/// run them. A kernel that no launch names stays with the first device. If a launch names an unknown kernel, which is
/// reported later, all stay.
void keep_kernels_of_device(YamlNode& root, const OwnDevice& own);

}  // namespace gdsim
