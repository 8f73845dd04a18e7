#pragma once

#include <gdsim/yaml/yaml_node.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace gdsim {

/// A value that begins with `= ` is an expression; a unit at its end belongs to the result.
struct ExpressionValue {
  std::string_view formula;  ///< a part of the node's text
  std::string_view unit;     ///< `KiB`, `us`, `%`, ...; empty: none
};

/// Returns the node's expression, or nullopt if the node is a plain value.
std::optional<ExpressionValue> expression_of(const YamlNode& node);

/// Returns the place in the file of byte `offset` of the node's text, or the node's place if its text has several
/// lines.
SourceMark mark_within(const YamlNode& node, std::size_t offset);

}  // namespace gdsim
