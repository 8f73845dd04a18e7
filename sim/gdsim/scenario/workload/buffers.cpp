#include <gdsim/scenario/workload/read_workload.hpp>

#include <gdsim/base/keys.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
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
  Bytes on_device;           ///< what it takes there
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
  const std::size_t before = map.values().problems().size();
  map.read("page", page);
  map.read("touched", touched);
  if (map.values().problems().size() > before) return;
  if (page.count <= 0 || touched.count <= 0 || page > whole || touched > whole) {
    map.values().fail(*node, "page", "`page` and `touched` must be more than 0 B and at most `bytes`");
    return;
  }
  buffer.bytes = *node;
  buffer.copies = static_cast<std::uint64_t>((touched.count - 1) / page.count + 1);
  const auto copies = static_cast<std::int64_t>(buffer.copies);
  buffer.on_device = copies > whole.count / page.count ? whole : Bytes{copies * page.count};
}

TrackedBuffers declared_buffers(const YamlNode& node, const ValueReader& values) {
  TrackedBuffers buffers;
  if (values.mapping(node, "buffers") == nullptr) return buffers;
  for (const YamlEntry& entry : node.entries) {
    require_plain_name(entry.key, "buffers", entry.key_mark, values.problems());
    const MapReader map(entry.value, "buffer", keys::kScenarioBuffers, values);
    TrackedBuffer buffer;
    buffer.mark = entry.key_mark;
    map.read("on", buffer.home, kBufferHomes);
    buffer.is_on_host = buffer.home == BufferHome::host;
    buffer.is_on_device = buffer.home == BufferHome::device;
    const YamlNode* bytes = map.require("bytes");
    const auto size = bytes != nullptr ? values.quantity<Bytes>(*bytes, "bytes", parse_bytes) : std::optional<Bytes>();
    if (!size) continue;
    buffer.bytes = *bytes;
    buffer.on_device = *size;
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
  copy.kind = launch.kind = YamlNode::Shape::mapping;
  list.kind = YamlNode::Shape::sequence;
  copy.set("bytes", mark, buffer.bytes);
  copy.set("direction", mark, word(mark, is_to_device ? "host_to_device" : "device_to_host"));
  list.items.push_back(word(mark, name));
  launch.set("copy", mark, std::move(copy));
  launch.set("name", mark, word(mark, name + (is_to_device ? "_to_device" : "_to_host")));
  launch.set(is_to_device ? "writes" : "reads", mark, std::move(list));
  if (buffer.copies > 1) launch.set("count", mark, word(mark, std::to_string(buffer.copies)));
  return launch;
}

bool copies_to_host(const YamlNode& copy) {
  const YamlNode* direction = copy.find("direction");
  return direction != nullptr && direction->text == "device_to_host";
}

/// Follows the launches, and collects them with the copies that are missing.
class BufferCopies {
 public:
  BufferCopies(TrackedBuffers& buffers, const ValueReader& values) : buffers_(buffers), values_(values) {}

  void follow(const YamlNode& launch) {
    const YamlNode* copy = launch.is_mapping() ? launch.find("copy") : nullptr;
    for_each_buffer(launch, "reads", [&](const std::string& name, TrackedBuffer& buffer) {
      if (copy != nullptr)
        take_copy(*copy, buffer);
      else if (!buffer.is_on_device)
        add_to_device(name, buffer, launch);
    });
    for_each_buffer(launch, "writes", [&](const std::string&, TrackedBuffer& buffer) {
      if (copy != nullptr) return take_copy(*copy, buffer);
      buffer.is_on_device = true;
      buffer.is_on_host = false;
    });
    launches_.push_back(launch);
  }

  std::vector<YamlNode> with_write_backs() {
    for (const auto& [name, buffer] : buffers_)
      if (buffer.home == BufferHome::host && !buffer.is_on_host) launches_.push_back(copy_of(name, buffer, false));
    return std::move(launches_);
  }

  bool has_unreadable_names() const { return has_unreadable_names_; }

 private:
  /// A copy of the user's own.
  static void take_copy(const YamlNode& copy, TrackedBuffer& buffer) {
    (copies_to_host(copy) ? buffer.is_on_host : buffer.is_on_device) = true;
  }

  template <class Visit>
  void for_each_buffer(const YamlNode& launch, std::string_view key, const Visit& visit) {
    const YamlNode* names = launch.is_mapping() ? launch.find(key) : nullptr;
    if (names == nullptr) return;
    has_unreadable_names_ = has_unreadable_names_ || !names->is_sequence();
    for (const YamlNode& name : names->items) {
      const auto buffer = buffers_.find(name.text);
      if (buffer == buffers_.end()) {
        fail_undeclared(name, key);
        continue;
      }
      buffer->second.is_used = true;
      visit(buffer->first, buffer->second);
    }
  }

  void fail_undeclared(const YamlNode& name, std::string_view key) {
    std::vector<std::string_view> known;
    for (const auto& [declared, buffer] : buffers_) known.push_back(declared);
    if (name.is_scalar())
      values_.fail(name, key,
                   "there is no buffer " + describe(name) + " under `buffers`; " + known_names(name.text, known) +
                       "; declare it, as in `" + printable(name.text) + ": {bytes: 64 MiB, on: device}`");
  }

  /// The runtime submits the copy when it submits the kernel: at the same time, after the same waits of the host.
  void add_to_device(const std::string& name, TrackedBuffer& buffer, const YamlNode& kernel) {
    YamlNode copy = copy_of(name, buffer, true);
    if (const YamlNode* at = kernel.find("at"); at != nullptr && parse_time(at->text).value)
      copy.set("at", buffer.mark, *at);
    if (const YamlNode* wait = kernel.find("wait")) copy.set("wait", buffer.mark, *wait);
    launches_.push_back(std::move(copy));
    buffer.is_on_device = true;
  }

  TrackedBuffers& buffers_;
  const ValueReader& values_;
  std::vector<YamlNode> launches_;
  bool has_unreadable_names_ = false;
};

/// Refuses launches that have the name of a copy which gdsim adds.
void check_launch_names(const YamlNode& launches, const TrackedBuffers& buffers, const ValueReader& values) {
  for (const YamlNode& launch : launches.items) {
    const YamlNode* name = launch.is_mapping() ? launch.find("name") : nullptr;
    for (const auto& [buffer, tracked] : buffers)
      if (name != nullptr && (name->text == buffer + "_to_device" || name->text == buffer + "_to_host"))
        values.fail(*name, "name",
                    describe(*name) + " is the name of the copy that gdsim adds for the buffer " + in_quotes(buffer) +
                        "; give this launch another name");
  }
}

}  // namespace

bool declares_buffers(const YamlNode& scenario) { return scenario.is_mapping() && scenario.find("buffers") != nullptr; }

BufferSizes add_buffer_copies(YamlNode& scenario, const ValueReader& values) {
  TrackedBuffers buffers = declared_buffers(*scenario.find("buffers"), values);
  YamlNode* launches = scenario.find("launches");
  if (launches == nullptr || !launches->is_sequence() || !scenario.find("buffers")->is_mapping()) return {};
  check_launch_names(*launches, buffers, values);
  BufferCopies copies(buffers, values);
  for (const YamlNode& launch : launches->items) copies.follow(launch);
  launches->items = copies.with_write_backs();
  for (const auto& [name, buffer] : buffers)
    if (!buffer.is_used && !copies.has_unreadable_names())
      values.problems().add(buffer.mark, "buffers: no launch reads or writes " + in_quotes(name) +
                                             "; name it, as in `{kernel: k, reads: [" + printable(name) +
                                             "]}`, or leave the buffer out");
  BufferSizes sizes;
  for (const auto& [name, buffer] : buffers) sizes.emplace(name, buffer.on_device);
  return sizes;
}

}  // namespace gdsim
