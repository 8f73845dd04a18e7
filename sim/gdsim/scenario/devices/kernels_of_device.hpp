#pragma once

#include <gdsim/scenario/devices/own_device.hpp>
#include <gdsim/yaml/yaml_node.hpp>

namespace gdsim {

/// Removes from `kernels:` of a scenario those that only other devices run: this device need not be able to. A kernel
/// that no launch names stays with the first device. All stay if a launch names one that is not there, which is yet to
/// be reported.
void keep_kernels_of_device(YamlNode& root, const OwnDevice& own);

}  // namespace gdsim
