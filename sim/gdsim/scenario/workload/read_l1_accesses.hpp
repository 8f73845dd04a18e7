#pragma once

#include <gdsim/workload/program.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <vector>

namespace gdsim {

/// Reads `l1` of an `issue` step: the total number of lines that it occupies, or a list of accesses. An access that
/// cannot be read is left out and reported.
void read_l1_accesses(const YamlNode& node, std::vector<L1Access>& accesses, const ValueReader& values);

}  // namespace gdsim
