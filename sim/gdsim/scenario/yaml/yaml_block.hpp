#pragma once

#include <gdsim/scenario/yaml/yaml_node.hpp>

#include <string>

namespace gdsim {

/// The document as YAML in block style, which reads back to the same nodes. Comments are lost.
std::string block_text(const YamlNode& root);

}  // namespace gdsim
