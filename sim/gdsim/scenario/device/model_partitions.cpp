#include <gdsim/scenario/device/models.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/keys.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {
namespace {

/// Returns the value at a path of mappings; null if there is none.
const YamlNode* value_at(const YamlNode& model, std::initializer_list<std::string_view> path) {
  const YamlNode* node = &model;
  for (const std::string_view key : path) {
    node = node->is_mapping() ? node->find(key) : nullptr;
    if (node == nullptr) return nullptr;
  }
  return node;
}

std::string text_at(const YamlNode& model, std::initializer_list<std::string_view> path) {
  const YamlNode* node = value_at(model, path);
  return node != nullptr && node->is_scalar() ? node->text : std::string();
}

std::optional<std::uint64_t> whole_number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> number_at(const YamlNode& model, std::string_view key) {
  return whole_number_of(text_at(model, {key}));
}

/// Returns the sizes of the groups of a level of so many cores; empty if they cannot be read: the reader reports that.
std::vector<std::uint64_t> sizes_of(const YamlNode& level, std::uint64_t cores) {
  std::vector<std::uint64_t> sizes;
  if (const YamlNode* written = level.find("sizes"); written != nullptr) {
    for (const YamlNode& item : written->items) sizes.push_back(whole_number_of(item.text).value_or(0));
    return sizes;
  }
  const std::uint64_t count = number_at(level, "count").value_or(0);
  if (count > device_limits::kCores) return {};
  for (std::uint64_t i = 0; i < count; ++i) sizes.push_back(cores * (i + 1) / count - cores * i / count);
  return sizes;
}

/// Returns the sizes of the groups that hold the first cores.
std::vector<std::uint64_t> first_sizes(const std::vector<std::uint64_t>& sizes, std::uint64_t cores) {
  std::vector<std::uint64_t> first;
  for (const std::uint64_t size : sizes) {
    if (cores == 0) break;
    first.push_back(std::min(size, cores));
    cores -= first.back();
  }
  return first;
}

/// Writes the sizes into a level: a number of groups if they are equal, else a list.
void set_sizes(YamlNode& level, const std::vector<std::uint64_t>& sizes) {
  const YamlNode* const name = level.find("name");
  YamlNode value;
  value.mark = name != nullptr ? name->mark : level.mark;
  std::erase_if(level.entries, [](const YamlEntry& entry) { return entry.key == "count" || entry.key == "sizes"; });
  if (std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end()) {
    value.text = std::to_string(sizes.size());
    level.set("count", value.mark, value);
    return;
  }
  YamlNode list = value;
  list.kind = YamlNode::Shape::sequence;
  for (const std::uint64_t size : sizes) {
    value.text = std::to_string(size);
    list.items.push_back(value);
  }
  level.set("sizes", list.mark, list);
}

}  // namespace

std::string cut_groups_problem(const YamlNode& base, const YamlNode& over, const ModelIndex& models) {
  const auto cores = number_at(over, "cores");
  const auto cores_of_base = number_at(base, "cores");
  const YamlNode* levels = base.find("core_groups");
  if (!cores || !cores_of_base || cores == cores_of_base || levels == nullptr || levels->items.empty()) return {};
  if (over.find("core_groups") != nullptr || value_at(over, {"dispatch", "partition"}) != nullptr) return {};
  const YamlNode& outermost = levels->items.front();
  const std::string group = text_at(outermost, {"name"});
  const auto count = number_at(outermost, "count");
  if (!count || *count < 2 || text_at(base, {"dispatch", "partition", "across"}) != group ||
      text_at(base, {"dispatch", "partition", "share"}) != "contiguous")
    return {};
  const std::string name = text_at(over, {"base"});
  const std::uint64_t size = *cores_of_base / *count;
  const std::string partition_name = name + "-" + group;
  return fmt::format(
      "is {}, and {} has {} {}s of {} cores each, among which the work-groups of a launch are divided; for one {}: {}; "
      "for {} smaller ones: `device: {{base: {}, cores: {}, core_groups: [{{name: {}, count: {}}}]}}`",
      *cores, name, *count, group, size, group,
      models.find(partition_name) ? fmt::format("`device: {}`", partition_name)
                                  : fmt::format("`cores: 0-{}` of a launch or queue", size - 1),
      *count, name, *cores, group, *count);
}

std::string keep_first_groups(YamlNode& base, const YamlNode& over) {
  const auto cores = number_at(over, "cores");
  auto cores_above = number_at(base, "cores");
  YamlNode* levels = base.find("core_groups");
  if (!cores || *cores == 0 || !cores_above || *cores >= *cores_above || levels == nullptr) return {};
  if (over.find("core_groups") != nullptr) return {};
  const bool is_dealt = value_at(base, {"dispatch", "partition"}) != nullptr;
  for (std::size_t i = 0; i < levels->items.size(); ++i) {
    YamlNode& level = levels->items[i];
    const std::vector<std::uint64_t> sizes = sizes_of(level, *cores_above);
    if (sizes.empty() || (is_dealt && sizes.size() <= *cores)) return {};
    const std::vector<std::uint64_t> first = first_sizes(sizes, *cores);
    const std::uint64_t whole = sizes[first.size() - 1];
    const bool has_groups_within = i + 1 < levels->items.size();
    if (first.size() > 1 && has_groups_within && first.back() != whole)
      return fmt::format("is {}, which cuts a {} of {} cores that has groups within; give `core_groups`, or {}", *cores,
                         text_at(level, {"name"}), whole, *cores - first.back());
    set_sizes(level, first);
    if (first.size() > 1) return {};
    cores_above = whole;
  }
  return {};
}

namespace {

/// A number of equal slices out of all.
struct Share {
  std::uint32_t slices = 1;
  std::uint32_t of = 1;
};

/// `4/8`.
std::optional<Share> read_share(const YamlNode& node, const ValueReader& values) {
  const auto text = values.text(node, "memory_share");
  if (!text) return std::nullopt;
  Share share;
  const char* const end = text->data() + text->size();
  const auto slices = std::from_chars(text->data(), end, share.slices);
  if (slices.ec == std::errc() && slices.ptr != end && *slices.ptr == '/') {
    const auto of = std::from_chars(slices.ptr + 1, end, share.of);
    if (of.ec == std::errc() && of.ptr == end && share.slices >= 1 && share.slices <= share.of) return share;
  }
  values.fail(node, "memory_share", describe(node) + " is not a fraction of slices such as 4/8");
  return std::nullopt;
}

/// Returns the share of one memory level, or nullopt if the partition keeps all of the level.
std::optional<Share> share_of_level(const YamlNode& shares, const std::string& level, const ValueReader& values) {
  if (!shares.is_mapping()) return read_share(shares, values);
  const YamlNode* own = shares.find(level);
  return own != nullptr ? read_share(*own, values) : std::nullopt;
}

template <class Quantity>
void shrink(YamlNode& value, Parsed<Quantity> (*parse)(std::string_view), const Share& share) {
  const Parsed<Quantity> whole = parse(value.text);
  if (!whole.value) return;  // the reader of the level reports the problem
  value.text =
      to_text(Quantity{static_cast<decltype(Quantity::count)>(Int128{whole.value->count} * share.slices / share.of)});
}

/// Returns true if all cores of the device share the level.
bool is_shared(const YamlNode& level) {
  return level.is_mapping() && level.find("name") != nullptr && level.find("scope") == nullptr;
}

/// Adds a problem for each share whose level not all cores share.
void check_level_names(const YamlNode& shares, const YamlNode& levels, const ValueReader& values) {
  std::vector<std::string_view> known;
  for (const YamlNode& level : levels.items)
    if (is_shared(level)) known.push_back(level.find("name")->text);
  for (const YamlEntry& share : shares.entries)
    if (std::find(known.begin(), known.end(), share.key) == known.end())
      values.problems().add(share.key_mark, "memory_share: there is no level " + in_quotes(share.key) +
                                                " that all cores share; " + known_names(share.key, known));
}

/// Returns the levels that all cores share, reduced to their shares, by number.
YamlNode shrunk_levels(const YamlNode& levels, const YamlNode& shares, const ValueReader& values) {
  YamlNode shrunk;
  shrunk.kind = YamlNode::Shape::mapping;
  shrunk.mark = shares.mark;
  for (std::size_t number = 0; number < levels.items.size(); ++number) {
    const YamlNode& level = levels.items[number];
    if (!is_shared(level)) continue;
    const auto share = share_of_level(shares, level.find("name")->text, values);
    if (!share) continue;
    YamlNode changed;
    changed.kind = YamlNode::Shape::mapping;
    changed.mark = shares.mark;
    for (const char* key : {"bandwidth", "capacity"}) {
      const YamlNode* whole = level.find(key);
      if (whole == nullptr) continue;
      YamlNode part = *whole;
      part.mark = shares.mark;
      if (key == std::string_view("bandwidth"))
        shrink<BytesPerSecond>(part, parse_bandwidth, *share);
      else
        shrink<Bytes>(part, parse_bytes, *share);
      changed.set(key, shares.mark, std::move(part));
    }
    if (!changed.entries.empty()) shrunk.set(std::to_string(number), shares.mark, std::move(changed));
  }
  return shrunk;
}

YamlNode mapping_at(const SourceMark& mark) {
  YamlNode node;
  node.kind = YamlNode::Shape::mapping;
  node.mark = mark;
  return node;
}

/// Reduces the total rate of atomic accesses by the share of the fastest level that all cores share, in which they
/// execute. Does nothing if the partition sets the rate itself.
void shrink_atomics(const YamlNode& model, const YamlNode& shares, const YamlNode& levels, const ValueReader& values,
                    YamlNode& over) {
  const YamlNode* atomics = model.find("atomics");
  const YamlNode* total = atomics != nullptr ? atomics->find("global_total") : nullptr;
  const auto level = std::find_if(levels.items.begin(), levels.items.end(), is_shared);
  if (total == nullptr || level == levels.items.end() || over.find("atomics") != nullptr) return;
  const auto share = share_of_level(shares, level->find("name")->text, values);
  const Parsed<Decimal> rate = parse_decimal(total->text);
  if (!share || !rate.value) return;
  const auto thousandths = round_product({*rate.value}, {UInt128{share->slices} * 1'000, share->of});
  if (!thousandths) return;
  YamlNode part = *total;
  part.mark = shares.mark;
  part.text = to_fixed({static_cast<UInt128>(*thousandths), 1'000}, 3);
  YamlNode of_atomics = mapping_at(shares.mark);
  of_atomics.set("global_total", shares.mark, std::move(part));
  over.set("atomics", shares.mark, std::move(of_atomics));
}

/// Reduces the capacity of the device's memory by the share of its last level, if all cores share that.
void shrink_capacity(const YamlNode& memory, const YamlNode& shares, const YamlNode& levels, const ValueReader& values,
                     YamlNode& over) {
  const YamlNode* capacity = memory.find("capacity");
  if (capacity == nullptr || levels.items.empty() || !is_shared(levels.items.back())) return;
  const auto share = share_of_level(shares, levels.items.back().find("name")->text, values);
  if (!share) return;
  YamlNode part = *capacity;
  part.mark = shares.mark;
  shrink<Bytes>(part, parse_bytes, *share);
  over.set("capacity", shares.mark, std::move(part));
}

/// Returns the values by which the partition replaces the model's, with the source of `partitions` as their source.
YamlNode values_of(const YamlEntry& partition, const YamlNode& model, const ValueReader& values) {
  YamlNode over = mapping_at(partition.key_mark);
  for (const YamlEntry& entry : partition.value.entries)
    if (entry.key != "memory_share") over.set(entry.key, entry.key_mark, entry.value);
  const YamlNode* shares = partition.value.find("memory_share");
  const YamlNode* memory = model.find("memory");
  const YamlNode* levels = memory != nullptr ? memory->find("levels") : nullptr;
  if (shares != nullptr && levels != nullptr && levels->is_sequence()) {
    check_level_names(*shares, *levels, values);
    YamlNode shrunk = shrunk_levels(*levels, *shares, values);
    YamlNode of_memory = mapping_at(shares->mark);
    if (!shrunk.entries.empty()) of_memory.set("levels", shares->mark, std::move(shrunk));
    shrink_capacity(*memory, *shares, *levels, values, of_memory);
    if (!of_memory.entries.empty()) over.set("memory", shares->mark, std::move(of_memory));
    shrink_atomics(model, *shares, *levels, values, over);
  }
  if (const YamlNode* name = model.find("name"); name != nullptr && name->is_scalar()) {
    YamlNode own = *name;
    own.text += ", partition " + partition.key;
    over.set("name", partition.key_mark, std::move(own));
  }
  const YamlNode* sources = model.find("sources");
  if (const YamlNode* source = sources != nullptr ? sources->find("partitions") : nullptr) {
    YamlNode own = mapping_at(source->mark);
    for (const ModelLeaf& leaf : model_leaves(over)) own.set(leaf.path, source->mark, *source);
    over.set("sources", source->mark, std::move(own));
  }
  return over;
}

}  // namespace

void apply_partition(YamlNode& model, const YamlNode& device, const ModelLibrary& models, const ValueReader& values) {
  const YamlNode& name = *device.find("partition");
  const auto wanted = values.text(name, "partition");
  if (!wanted) return;
  const auto fail = [&](const std::string& why) {
    const auto lines = partition_lines(text_at(device, {"base"}) + " " + *wanted, models);
    values.fail(name, "partition", why + (lines.empty() ? "" : fmt::format("; write {}", fmt::join(lines, " or "))));
  };
  const YamlNode* partitions = model.find("partitions");
  if (partitions == nullptr || !partitions->is_mapping() || partitions->entries.empty())
    return fail("the model in `base:` has no partitions");
  for (const YamlEntry& partition : partitions->entries) {
    if (partition.key != *wanted) continue;
    if (!partition.value.is_mapping()) return;  // check_partitions() reports it
    const YamlNode over = values_of(partition, model, values);
    drop_sources(model, over);
    for (const YamlEntry& entry : over.entries) overlay_entry(model, entry);
    // Models based on the result have no partitions: the shares refer to the whole device.
    std::erase_if(model.entries, [](const YamlEntry& entry) { return entry.key == "partitions"; });
    if (YamlNode* sources = model.find("sources"))
      std::erase_if(sources->entries, [](const YamlEntry& source) { return source.key == "partitions"; });
    return;
  }
  std::vector<std::string_view> known;
  for (const YamlEntry& partition : partitions->entries) known.push_back(partition.key);
  fail("there is no partition " + describe(name) + "; " + known_names(name.text, known));
}

void check_partitions(const YamlNode& partitions, const ValueReader& values) {
  if (values.mapping(partitions, "partitions") == nullptr) return;
  for (const YamlEntry& partition : partitions.entries) {
    const MapReader map(partition.value, "partitions", keys::kDevicePartition, values);
    std::uint32_t cores = 1;
    map.read("cores", cores);
    const YamlNode* shares = map.find("memory_share");
    if (shares == nullptr) continue;
    if (!shares->is_mapping()) read_share(*shares, values);
    for (const YamlEntry& share : shares->entries) read_share(share.value, values);
  }
}

}  // namespace gdsim
