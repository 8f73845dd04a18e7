#pragma once

#include <gdsim/import/byte_view.hpp>
#include <gdsim/yaml/yaml_node.hpp>

namespace gdsim {

/// The MessagePack document in `bytes`, as the YAML that would say the same: both are what AMD's metadata is written
/// in. Throws InputError with the offset: more entries than there are bytes, nesting deeper than 64 levels, more than
/// 1,000,000 values, keys that are not text, extensions.
YamlNode read_message_pack(const ByteView& bytes);

}  // namespace gdsim
