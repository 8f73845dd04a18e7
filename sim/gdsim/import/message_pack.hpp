#pragma once

#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/byte_view.hpp>
#include <gdsim/yaml/yaml_node.hpp>

namespace gdsim {

/// Reads the MessagePack document in `bytes` as the equivalent YAML: AMD's metadata is written in either. Throws
/// InputError with the offset for more entries than there are bytes, nesting deeper than 64 levels, keys that
/// are not text, and extensions, and if the values exceed the budget.
YamlNode read_message_pack(const ByteView& bytes, ReadBudget& budget);

}  // namespace gdsim
