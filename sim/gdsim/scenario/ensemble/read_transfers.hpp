#pragma once

#include <gdsim/scenario/ensemble/launch_device.hpp>
#include <gdsim/workload/kernel.hpp>
#include <gdsim/workload/workload.hpp>

#include <optional>
#include <string>

namespace gdsim {

/// Reads `copy:` of a launch: between host and device by `direction`, or over a link by `from` and `to`.
Copy read_copy(const YamlNode& node, const LaunchDevice& devices, const ValueReader& values);

/// A collective as written, and the kernel that occupies the cores of each member.
struct ReadCollective {
  Collective collective;  ///< without launches
  Kernel kernel;
  std::string kind;  ///< as written
};

/// Reads `collective:` of `launch`. If it cannot be read, adds problems and returns nullopt.
std::optional<ReadCollective> read_collective(const MapReader& launch, const LaunchDevice& devices,
                                              const ValueReader& values);

}  // namespace gdsim
