#pragma once

#include <gdsim/scenario/ensemble/launch_device.hpp>
#include <gdsim/workload/workload.hpp>

namespace gdsim {

/// Reads `copy:` of a launch: between host and device by `direction`, or over a link by `from` and `to`.
Copy read_copy(const YamlNode& node, const LaunchDevice& devices, const ValueReader& values);

}  // namespace gdsim
