#include <gdsim/import/metadata_values.hpp>

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <string>

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
    refuse_(*mapping_.find(key), fmt::format("{} is {}; at most 1000000 is possible", key, *value));
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

std::string MetadataValues::require_text(std::string_view key) const {
  const auto value = text(key);
  if (!value) refuse_(mapping_, "a kernel lacks " + std::string(key));
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

namespace {

constexpr int kMaxDepth = 64;

/// Reads values one after the other. A nested value is read by a recursive call, at most kMaxDepth deep.
class MessagePackReader {
 public:
  MessagePackReader(const ByteView& bytes, ReadBudget& budget) : bytes_(bytes), budget_(budget) {}

  YamlNode value(int depth) {
    const std::uint64_t begin = at_;
    if (depth > kMaxDepth) bytes_.fail(begin, fmt::format("nested deeper than {} levels", kMaxDepth));
    budget_.keep(sizeof(YamlNode));
    const std::uint8_t tag = bytes_.u8(at_++);
    if (tag <= 0x7f) return scalar(std::to_string(tag));
    if (tag <= 0x8f) return mapping(tag & 0x0fU, depth);
    if (tag <= 0x9f) return sequence(tag & 0x0fU, depth);
    if (tag <= 0xbf) return text(tag & 0x1fU);
    if (tag >= 0xe0) return scalar(std::to_string(static_cast<int>(tag) - 256));
    switch (tag) {
      case 0xc0: return {};
      case 0xc2: return scalar("false");
      case 0xc3: return scalar("true");
      case 0xcc: return scalar(std::to_string(number(1)));
      case 0xcd: return scalar(std::to_string(number(2)));
      case 0xce: return scalar(std::to_string(number(4)));
      case 0xcf: return scalar(std::to_string(number(8)));
      case 0xd0: return scalar(std::to_string(static_cast<std::int8_t>(number(1))));
      case 0xd1: return scalar(std::to_string(static_cast<std::int16_t>(number(2))));
      case 0xd2: return scalar(std::to_string(static_cast<std::int32_t>(number(4))));
      case 0xd3: return scalar(std::to_string(static_cast<std::int64_t>(number(8))));
      case 0xd9: return text(number(1));
      case 0xda: return text(number(2));
      case 0xdb: return text(number(4));
      case 0xdc: return sequence(number(2), depth);
      case 0xdd: return sequence(number(4), depth);
      case 0xde: return mapping(number(2), depth);
      case 0xdf: return mapping(number(4), depth);
      default: bytes_.fail(begin, fmt::format("a value of the kind 0x{:02x}, which kernel metadata does not use", tag));
    }
  }

 private:
  static YamlNode scalar(std::string text) {
    YamlNode node;
    node.text = std::move(text);
    return node;
  }

  /// Big-endian, as MessagePack has it.
  std::uint64_t number(unsigned size) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i) value = value << 8 | bytes_.u8(at_++);
    return value;
  }

  YamlNode text(std::uint64_t size) {
    YamlNode node = scalar(std::string(bytes_.part(at_, size, "a text").bytes()));
    node.style = YamlNode::Style::quoted;
    at_ += size;
    return node;
  }

  /// Fails unless the rest has room for the entries, each of at least `bytes` bytes.
  void require_room(std::uint64_t entries, std::uint64_t bytes) const {
    const std::uint64_t left = bytes_.size() - at_;
    if (entries > left / bytes)
      bytes_.fail(at_, fmt::format("{} entries are announced here, and {} bytes are left", entries, left));
  }

  YamlNode sequence(std::uint64_t count, int depth) {
    require_room(count, 1);
    YamlNode node;
    node.kind = YamlNode::Shape::sequence;
    for (std::uint64_t i = 0; i < count; ++i) node.items.push_back(value(depth + 1));
    return node;
  }

  YamlNode mapping(std::uint64_t count, int depth) {
    require_room(count, 2);
    YamlNode node;
    node.kind = YamlNode::Shape::mapping;
    std::set<std::string> keys;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t begin = at_;
      YamlNode key = value(depth + 1);
      if (!key.is_scalar()) bytes_.fail(begin, "a key must be text, not " + describe(key));
      if (!keys.insert(key.text).second) bytes_.fail(begin, "the key " + describe(key) + " stands here again");
      node.entries.push_back({std::move(key.text), {}, value(depth + 1)});
    }
    return node;
  }

  const ByteView& bytes_;
  ReadBudget& budget_;
  std::uint64_t at_ = 0;
};

}  // namespace

YamlNode read_message_pack(const ByteView& bytes, ReadBudget& budget) {
  return MessagePackReader(bytes, budget).value(1);
}

}  // namespace gdsim
