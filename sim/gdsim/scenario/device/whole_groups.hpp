#pragma once

#include <gdsim/scenario/device/model_index.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <string>

namespace gdsim {

/// What is wrong with a number of `cores` that `over` gives a model whose launches are cut into parts, one for each of
/// its stacks: that it does not say how many stacks there are. Empty if nothing is. 64 cores of a device of two stacks
/// of 64 would be two stacks of 32, where one stack was meant.
std::string cut_groups_problem(const YamlNode& base, const YamlNode& over, const ModelIndex& models);

}  // namespace gdsim
