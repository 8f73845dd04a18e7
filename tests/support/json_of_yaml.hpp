#pragma once

#include <gdsim/yaml/yaml_node.hpp>

#include <nlohmann/json.hpp>

namespace gdsim::testing {

/// Returns the JSON value that an editor's YAML 1.2 reader sees: plain texts become numbers, booleans or null.
nlohmann::json json_of_yaml(const YamlNode& node);

}  // namespace gdsim::testing
