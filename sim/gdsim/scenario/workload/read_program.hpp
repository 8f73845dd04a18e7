#pragma once

#include <gdsim/scenario/expressions/group_values.hpp>
#include <gdsim/workload/kernel.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

/// What becomes of elements in memory: bytes, by the work-items of a thread and what the device moves at least.
struct AccessSizes {
  std::uint32_t lanes = 1;      ///< work-items of a thread
  std::optional<Bytes> line{};  ///< nothing: the device's model has none
  bool is_known = true;         ///< false: the sub-group size could not be read, or no memory of the device
};

/// Reads a list of steps. One that cannot be read is reported; a `compute` of 1 ps stands in for it, so that the others
/// keep their places.
void read_program(const YamlNode& node, const AccessSizes& sizes, Program& program, const ValueReader& values);

/// Reads a list of steps with values that differ by work-group: one program for each set of values. Of the first that
/// cannot be read, all problems are reported, with a work-group that has it; then the kernel has none, and it is false.
bool read_programs(const YamlNode& node, const AccessSizes& sizes, const GroupValues& group_values, Kernel& kernel,
                   const ValueReader& values);

}  // namespace gdsim
