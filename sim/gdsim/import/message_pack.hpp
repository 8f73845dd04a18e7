#pragma once

#include <gdsim/import/byte_view.hpp>
#include <gdsim/yaml/yaml_node.hpp>

namespace gdsim {

/// Reads the MessagePack document in `bytes` as the equivalent YAML: AMD's metadata is written in either. Throws
/// InputError with the offset for more entries than there are bytes, nesting deeper than 64 levels, more than 1,000,000
/// values, keys that are not text, and extensions.
YamlNode read_message_pack(const ByteView& bytes);

}  // namespace gdsim
