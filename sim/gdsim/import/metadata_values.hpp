#pragma once

#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/object_files.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gdsim {

/// Called with a value of metadata and its fault. Must throw InputError.
using RefuseMetadata = std::function<void(const YamlNode& value, const std::string& message)>;

/// Reads the keys of one mapping of a compiler's metadata. Unknown keys are allowed: compilers add some.
class MetadataValues {
 public:
  MetadataValues(const YamlNode& mapping, const RefuseMetadata& refuse) : mapping_(mapping), refuse_(refuse) {}

  /// Returns nullopt if the key is missing.
  std::optional<std::uint64_t> whole(std::string_view key) const;
  std::optional<std::uint32_t> whole32(std::string_view key) const;
  std::optional<std::string> text(std::string_view key) const;
  /// Returns the value of a key that must be present. Errors call the mapping `what`, or a kernel.
  std::uint64_t require_whole(std::string_view key, std::string_view what) const;
  std::string require_text(std::string_view key) const;
  /// Three sizes, each at least 1. Returns nullopt if the key is missing.
  std::optional<std::array<std::uint64_t, 3>> extent(std::string_view key) const;

  const YamlNode& mapping() const { return mapping_; }

 private:
  std::optional<std::uint64_t> number(const YamlNode& node, std::string_view key) const;

  const YamlNode& mapping_;
  const RefuseMetadata& refuse_;
};

/// Reads the MessagePack document in `bytes` as the equivalent YAML: AMD's metadata is written in either. Throws
/// InputError with the offset for more entries than there are bytes, nesting deeper than 64 levels, keys that
/// are not text, and extensions, and if the values exceed the budget.
YamlNode read_message_pack(const ByteView& bytes, ReadBudget& budget);

}  // namespace gdsim
