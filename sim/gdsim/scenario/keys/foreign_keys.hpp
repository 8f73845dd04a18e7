#pragma once

#include <gdsim/yaml/yaml_node.hpp>

#include <span>
#include <string>
#include <string_view>

namespace gdsim {

/// Of a key that is another ecosystem's word (`grid`, `block`, `shared`, `regs`, `stream`): ` gdsim's key is `local`,
/// ...: `local: 256``, with the value that was written where it fits. Empty if it is no such word, or if
/// gdsim's key is none of `known`. `mapping` is where the key stands.
std::string foreign_key_hint(const YamlEntry& entry, const YamlNode& mapping, std::span<const std::string_view> known);

}  // namespace gdsim
