#pragma once

#include <gdsim/scenario/device/model_index.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <string>

namespace gdsim {

/// Returns the problem of a model whose launches are split by stack if `over` sets `cores` but not the number of
/// stacks; else an empty text. On a device of two stacks of 64 cores, 64 cores would be two stacks of 32, although one
/// stack was meant.
std::string cut_groups_problem(const YamlNode& base, const YamlNode& over, const ModelIndex& models);

}  // namespace gdsim
