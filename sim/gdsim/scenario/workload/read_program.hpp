#pragma once

#include <gdsim/scenario/expressions/evaluate_expressions.hpp>
#include <gdsim/scenario/workload/read_steps.hpp>
#include <gdsim/workload/kernel.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <vector>

namespace gdsim {

/// Returns a `compute` of 1 ps that replaces a step that could not be read, so that the others can be checked in their
/// places.
inline Step step_stand_in() { return Compute{{Decimal::whole(1), StepTime::Unit::picoseconds}}; }

/// Reads a list of steps. A step that cannot be read is reported and replaced by step_stand_in(). `tile_values`: for
/// the bodies of tiles, see YamlNode::tile_value.
void read_program(const YamlNode& node, const AccessSizes& sizes, Program& program, const ValueReader& values,
                  const std::vector<GroupValues>* tile_values = nullptr);

/// Reads a list of steps with values that differ by work-group: one program for each set of values. If one cannot be
/// read, reports all problems of the first such, with a work-group that has it; returns false, and the kernel has no
/// programs.
bool read_programs(const YamlNode& node, const AccessSizes& sizes, const KernelGroupValues& kernel_values,
                   Kernel& kernel, const ValueReader& values);

}  // namespace gdsim
