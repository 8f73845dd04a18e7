#pragma once

#include <gdsim/scenario/yaml_values.hpp>
#include <gdsim/workload/program.hpp>

namespace gdsim {

/// Reads a list of steps. What cannot be read is reported and left out.
void read_program(const YamlNode& node, Program& program, const ValueReader& values);

}  // namespace gdsim
