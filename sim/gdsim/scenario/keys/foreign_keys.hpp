#pragma once

#include <gdsim/yaml/yaml_node.hpp>

#include <span>
#include <string>
#include <string_view>

namespace gdsim {

/// Returns the hint for a key that is another ecosystem's word (`grid`, `block`, `shared`, `regs`, `stream`): ` gdsim's
/// key is `local`, ...: `local: 256``, with the written value if it is valid there. Empty if the key is no such word,
/// or if gdsim's key is not in `known`. `mapping` contains the key.
std::string foreign_key_hint(const YamlEntry& entry, const YamlNode& mapping, std::span<const std::string_view> known);

}  // namespace gdsim
