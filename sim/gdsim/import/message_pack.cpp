#include <gdsim/import/message_pack.hpp>

#include <fmt/format.h>

#include <set>
#include <string>

namespace gdsim {
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
    node.kind = YamlNode::Kind::sequence;
    for (std::uint64_t i = 0; i < count; ++i) node.items.push_back(value(depth + 1));
    return node;
  }

  YamlNode mapping(std::uint64_t count, int depth) {
    require_room(count, 2);
    YamlNode node;
    node.kind = YamlNode::Kind::mapping;
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
