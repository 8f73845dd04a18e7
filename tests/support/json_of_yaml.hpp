#pragma once

#include <gdsim/yaml/yaml_node.hpp>

#include <nlohmann/json.hpp>

#include <optional>

namespace gdsim::testing {

/// The JSON value that an editor's YAML 1.2 reader sees: plain numbers, booleans and null by their look.
nlohmann::json json_of_yaml(const YamlNode& node);

}  // namespace gdsim::testing
