#pragma once

#include <gdsim/scenario/yaml_values.hpp>
#include <gdsim/workload/program.hpp>

namespace gdsim {

/// Reads a list of steps. One that cannot be read is reported; a `compute` of 1 ps stands in for it, so that the others
/// keep their places.
void read_program(const YamlNode& node, Program& program, const ValueReader& values);

}  // namespace gdsim
