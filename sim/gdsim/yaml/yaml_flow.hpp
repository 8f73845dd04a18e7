#pragma once

#include <gdsim/yaml/yaml_node.hpp>

#include <string>

namespace gdsim {

/// Returns a value in one line, as written in a file: `12`, `[1, 2]`, `{a: 1}`.
std::string flow_text(const YamlNode& node);

}  // namespace gdsim
