#pragma once

#include <gdsim/yaml/yaml_node.hpp>
#include <gdsim/yaml/yaml_values.hpp>

namespace gdsim {

/// Copies the values under `defaults:` of a model into `memory` and `copy`, if the model has these and they lack the
/// value, and removes `defaults`. Its sources are removed too if the model has no such mapping. The bases of `model`
/// must be merged in. Adds unknown keys to the problems; returns true if there were none.
bool apply_defaults(YamlNode& model, const ValueReader& values);

}  // namespace gdsim
