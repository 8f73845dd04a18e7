#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/expressions/evaluate_expressions.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/kernel.hpp>

#include <string>
#include <string_view>

namespace gdsim {

/// The word that stands for a program which is not known: `program: placeholder`.
inline constexpr std::string_view kPlaceholder = "placeholder";

/// A kernel as read. What could be read can be checked even if other parts could not.
struct ReadKernel {
  Kernel kernel;
  bool has_range = false;    ///< range and sub-group are as the user wrote them
  bool has_needs = false;    ///< so are they and the resources
  bool has_steps = false;    ///< the program has all its steps, some perhaps not as the user wrote them
  bool has_program = false;  ///< it is as the user wrote it, and so is its variation
};

/// Reads one entry of `kernels:`. What cannot be read is reported and left at its default.
/// `group_values`: what differs by work-group, null if nothing does. `device`: null if it could not be read.
ReadKernel read_kernel(const std::string& name, const YamlNode& node, const KernelGroupValues* group_values,
                       const DeviceSpec* device, const ValueReader& values);

}  // namespace gdsim
