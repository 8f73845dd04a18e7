#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <optional>
#include <string_view>

namespace gdsim {

/// Reads the one document of `source`, strictly: no anchors, aliases, tags, duplicate keys, keys that are not text,
/// second document, or nesting deeper than 64. Every problem is added to `problems` with its place. Returns nullopt if
/// the text is not YAML at all. The nodes refer to `source`.
std::optional<YamlNode> read_yaml(const SourceText& source, Diagnostics& problems);

/// Reads the value of one key of the outermost mapping, as strictly. Other values take no memory and are not checked.
/// Returns nullopt if the text is not YAML, breaks a rule, or has no such key.
std::optional<YamlNode> read_yaml_value(const SourceText& source, std::string_view key);

}  // namespace gdsim
