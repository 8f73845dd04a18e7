#pragma once

#include <gdsim/yaml/yaml_node.hpp>
#include <gdsim/yaml/yaml_values.hpp>

namespace gdsim {

/// Fills what `defaults:` of a model has into `memory` and `copy`, where the model has these and they lack a value, and
/// removes `defaults`. Its sources go with it where the model has no such mapping. `model` has its bases merged in.
/// Unknown keys are added to the problems; returns whether there were none.
bool apply_defaults(YamlNode& model, const ValueReader& values);

}  // namespace gdsim
