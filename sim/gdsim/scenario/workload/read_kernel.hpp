#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/expressions/evaluate_expressions.hpp>
#include <gdsim/scenario/expressions/group_values.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/kernel.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Reads the steps `launch: {kernel, wait}` of all programs of `node`, the mapping `kernels:`, once every kernel is
/// known. `kernels` are those of the mapping, in order, with a LaunchChild for each such step. A step whose kernel is
/// unknown is removed.
void read_children(const YamlNode& node, std::vector<Kernel>& kernels, const ValueReader& values);

/// Reads a kernel's `variation:`. `group_values`: of an expression in `work_groups`, or null.
Variation read_variation(const YamlNode& node, const GroupValues* group_values, const ValueReader& values);

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
