#include <gdsim/import/metadata_values.hpp>

#include <charconv>

namespace gdsim {

std::optional<std::uint64_t> MetadataValues::number(const YamlNode& node, std::string_view key) const {
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  std::uint64_t value = 0;
  const char* end = node.text.data() + node.text.size();
  const auto [rest, error] = std::from_chars(node.text.data(), end, value);
  if (node.is_scalar() && !node.text.empty() && error == std::errc{} && rest == end && value <= most) return value;
  refuse_(node, std::string(key) + " is " + describe(node) + "; a whole number up to 2^40 is needed");
  return std::nullopt;
}

std::optional<std::uint64_t> MetadataValues::whole(std::string_view key) const {
  const YamlNode* node = mapping_.find(key);
  return node == nullptr ? std::nullopt : number(*node, key);
}

std::optional<std::uint32_t> MetadataValues::whole32(std::string_view key) const {
  const auto value = whole(key);
  constexpr std::uint64_t most = 1'000'000;
  if (value && *value > most)
    refuse_(*mapping_.find(key), std::string(key) + " is " + std::to_string(*value) + "; at most 1000000 is possible");
  return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

std::optional<std::string> MetadataValues::text(std::string_view key) const {
  const YamlNode* node = mapping_.find(key);
  if (node == nullptr) return std::nullopt;
  constexpr std::size_t most = 65'536;
  if (!node->is_scalar() || node->text.empty() || node->text.size() > most)
    refuse_(*node, std::string(key) + " is " + describe(*node) + "; a text of at most 65536 bytes is needed");
  return node->text;
}

std::uint64_t MetadataValues::require_whole(std::string_view key, std::string_view what) const {
  const auto value = whole(key);
  if (!value) refuse_(mapping_, std::string(what) + " lacks " + std::string(key));
  return value.value_or(0);
}

std::string MetadataValues::require_text(std::string_view key, std::string_view what) const {
  const auto value = text(key);
  if (!value) refuse_(mapping_, std::string(what) + " lacks " + std::string(key));
  return value.value_or("");
}

std::optional<std::array<std::uint64_t, 3>> MetadataValues::extent(std::string_view key) const {
  const YamlNode* node = mapping_.find(key);
  if (node == nullptr) return std::nullopt;
  std::array<std::uint64_t, 3> sizes{};
  if (!node->is_sequence() || node->items.size() != sizes.size())
    refuse_(*node, std::string(key) + " is " + describe(*node) + "; a list of three sizes is needed");
  constexpr std::uint64_t most = std::uint64_t{1} << 20;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sizes[i] = number(node->items[i], key).value_or(0);
    if (sizes[i] == 0 || sizes[i] > most)
      refuse_(node->items[i],
              std::string(key) + " has a size of " + describe(node->items[i]) + "; 1 to 2^20 is possible");
  }
  return sizes;
}

}  // namespace gdsim
