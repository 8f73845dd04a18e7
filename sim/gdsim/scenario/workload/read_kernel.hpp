#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/expressions/evaluate_expressions.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/kernel.hpp>

#include <string>
#include <string_view>

namespace gdsim {

/// The word for an unknown program: `program: placeholder`.
inline constexpr std::string_view kPlaceholder = "placeholder";

/// A kernel as read. Readable parts can be checked even if others are not.
struct ReadKernel {
  Kernel kernel;
  bool has_range = false;    ///< range and sub-group are as the user wrote them
  bool has_needs = false;    ///< range, sub-group and resources are as the user wrote them
  bool has_steps = false;    ///< the program has all its steps, though some may not be as the user wrote them
  bool has_program = false;  ///< the program and its variation are as the user wrote them
};

/// Reads one entry of `kernels:`. Values that cannot be read are reported and keep their defaults. `group_values`:
/// values that differ by work-group, or null. `device`: null if it could not be read.
ReadKernel read_kernel(const std::string& name, const YamlNode& node, const KernelGroupValues* group_values,
                       const DeviceSpec* device, const ValueReader& values);

}  // namespace gdsim
