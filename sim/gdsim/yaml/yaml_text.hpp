#pragma once

#include <gdsim/yaml/yaml_node.hpp>

#include <string>
#include <string_view>

namespace gdsim {

/// Returns the text as a scalar in double quotes, with escapes: any text reads back unchanged.
std::string double_quoted(std::string_view text);

/// Returns the document as YAML in block style, which reads back to the same nodes. Comments are lost.
std::string block_text(const YamlNode& root);

/// Returns a value in one line, as written in a file: `12`, `[1, 2]`, `{a: 1}`.
std::string flow_text(const YamlNode& node);

}  // namespace gdsim
