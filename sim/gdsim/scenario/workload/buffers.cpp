#include <gdsim/scenario/workload/buffers.hpp>

#include <gdsim/base/quantity.hpp>
#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

enum class BufferHome : std::uint8_t { host, device };

constexpr std::array<std::pair<std::string_view, BufferHome>, 2> kBufferHomes{
    {{"host", BufferHome::host}, {"device", BufferHome::device}}};

/// A declared buffer, and where its newest content is while the launches are followed in their order.
struct TrackedBuffer {
  YamlNode bytes;            ///< of each copy: all of them, or a page
  std::uint64_t copies = 1;  ///< as many as pages are touched
  SourceMark mark;
  BufferHome home = BufferHome::host;
  bool is_on_host = true;
  bool is_on_device = false;
  bool is_used = false;
};

using TrackedBuffers = std::map<std::string, TrackedBuffer>;

/// With `page`, only the pages that are touched are copied, each by itself.
void read_pages(const MapReader& map, Bytes whole, TrackedBuffer& buffer) {
  const YamlNode* node = map.find("page");
  const YamlNode* touched_node = map.find("touched");
  if (node == nullptr) {
    if (touched_node != nullptr)
      map.values().fail(*touched_node, "touched", "counts pages; write their size, too, as in `page: 64 KiB`");
    return;
  }
  Bytes page, touched = whole;
  map.read("page", page, &ValueReader::quantity<Bytes>, parse_bytes);
  map.read("touched", touched, &ValueReader::quantity<Bytes>, parse_bytes);
  if (page.count <= 0 || touched.count <= 0 || page > whole || touched > whole) {
    map.values().fail(*node, "page", "`page` and `touched` must be more than 0 B and at most `bytes`");
    return;
  }
  buffer.bytes = *node;
  buffer.copies = static_cast<std::uint64_t>((touched.count - 1) / page.count + 1);
}

TrackedBuffers declared_buffers(const YamlNode& node, const ValueReader& values) {
  TrackedBuffers buffers;
  if (values.mapping(node, "buffers") == nullptr) return buffers;
  for (const YamlEntry& entry : node.entries) {
    require_plain_name(entry.key, "buffers", entry.key_mark, values.problems());
    const MapReader map(entry.value, "buffer", keys::kBuffer, values);
    TrackedBuffer buffer;
    buffer.mark = entry.key_mark;
    map.read("on", buffer.home, &ValueReader::choice<BufferHome>, std::span(kBufferHomes));
    buffer.is_on_host = buffer.home == BufferHome::host;
    buffer.is_on_device = buffer.home == BufferHome::device;
    const YamlNode* bytes = map.require("bytes");
    const auto size = bytes != nullptr ? values.quantity<Bytes>(*bytes, "bytes", parse_bytes) : std::optional<Bytes>();
    if (!size) continue;
    buffer.bytes = *bytes;
    read_pages(map, *size, buffer);
    buffers.emplace(entry.key, std::move(buffer));
  }
  return buffers;
}

YamlNode word(const SourceMark& mark, std::string text) {
  YamlNode node;
  node.mark = mark;
  node.text = std::move(text);
  return node;
}

/// Returns `{copy: {bytes: 64 MiB, direction: host_to_device}, name: a_to_device, writes: [a]}`, or the way back.
YamlNode copy_of(const std::string& name, const TrackedBuffer& buffer, bool is_to_device) {
  const SourceMark& mark = buffer.mark;
  YamlNode copy, list, launch;
  for (YamlNode* node : {&copy, &list, &launch}) node->mark = mark;
  copy.kind = launch.kind = YamlNode::Kind::mapping;
  list.kind = YamlNode::Kind::sequence;
  copy.set("bytes", mark, buffer.bytes);
  copy.set("direction", mark, word(mark, is_to_device ? "host_to_device" : "device_to_host"));
  list.items.push_back(word(mark, name));
  launch.set("copy", mark, std::move(copy));
  launch.set("name", mark, word(mark, name + (is_to_device ? "_to_device" : "_to_host")));
  launch.set(is_to_device ? "writes" : "reads", mark, std::move(list));
  if (buffer.copies > 1) launch.set("count", mark, word(mark, std::to_string(buffer.copies)));
  return launch;
}

/// Follows the launches, and collects them with the copies that are missing.
class BufferCopies {
 public:
  explicit BufferCopies(TrackedBuffers& buffers) : buffers_(buffers) {}

  void follow(const YamlNode& launch) {
    const YamlNode* copy = launch.is_mapping() ? launch.find("copy") : nullptr;
    for_each_buffer(launch, "reads", [&](const std::string& name, TrackedBuffer& buffer) {
      if (copy != nullptr) {
        buffer.is_on_host = true;
      } else if (!buffer.is_on_device) {
        add_to_device(name, buffer, launch);
      }
    });
    for_each_buffer(launch, "writes", [&](const std::string&, TrackedBuffer& buffer) {
      buffer.is_on_device = true;
      if (copy == nullptr) buffer.is_on_host = false;
    });
    launches_.push_back(launch);
  }

  std::vector<YamlNode> with_write_backs() {
    for (const auto& [name, buffer] : buffers_)
      if (buffer.home == BufferHome::host && !buffer.is_on_host) launches_.push_back(copy_of(name, buffer, false));
    return std::move(launches_);
  }

 private:
  template <class Visit>
  void for_each_buffer(const YamlNode& launch, std::string_view key, const Visit& visit) {
    const YamlNode* names = launch.is_mapping() ? launch.find(key) : nullptr;
    if (names == nullptr) return;
    for (const YamlNode& name : names->items)
      if (const auto buffer = buffers_.find(name.text); buffer != buffers_.end()) {
        buffer->second.is_used = true;
        visit(buffer->first, buffer->second);
      }
  }

  /// The runtime submits the copy when it submits the kernel: at the same time, after the same waits of the host.
  void add_to_device(const std::string& name, TrackedBuffer& buffer, const YamlNode& kernel) {
    YamlNode copy = copy_of(name, buffer, true);
    for (const char* key : {"at", "wait"})
      if (const YamlNode* value = kernel.find(key)) copy.set(key, buffer.mark, *value);
    launches_.push_back(std::move(copy));
    buffer.is_on_device = true;
  }

  TrackedBuffers& buffers_;
  std::vector<YamlNode> launches_;
};

}  // namespace

bool declares_buffers(const YamlNode& scenario) { return scenario.is_mapping() && scenario.find("buffers") != nullptr; }

void add_buffer_copies(YamlNode& scenario, const ValueReader& values) {
  TrackedBuffers buffers = declared_buffers(*scenario.find("buffers"), values);
  YamlNode* launches = scenario.find("launches");
  if (launches == nullptr || !launches->is_sequence()) return;
  BufferCopies copies(buffers);
  for (const YamlNode& launch : launches->items) copies.follow(launch);
  launches->items = copies.with_write_backs();
  for (const auto& [name, buffer] : buffers)
    if (!buffer.is_used)
      values.problems().add(buffer.mark, "buffers: no launch reads or writes '" + name +
                                             "'; name it, as in `{kernel: k, reads: [" + name +
                                             "]}`, or leave the buffer out");
}

}  // namespace gdsim
