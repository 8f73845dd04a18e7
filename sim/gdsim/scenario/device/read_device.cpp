#include <gdsim/scenario/device/read_device.hpp>

#include <gdsim/base/keys.hpp>
#include <gdsim/check/checks.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/scenario/compile_scenario.hpp>
#include <gdsim/scenario/device/models.hpp>
#include <gdsim/yaml/yaml_node.hpp>

namespace gdsim {
namespace {

void read_terms(const YamlNode& node, Terms& terms, ModelLibrary& models, const ValueReader& values) {
  if (!node.is_mapping()) {
    if (const auto words = models.resolve_terms(node, values)) read_terms(*words, terms, models, values);
    return;
  }
  MapReader(node, "terms", keys::kTerms, values).read_keys(terms);
}

/// Checks a source that is written in keys.
bool is_source(const YamlNode& node, const ValueReader& values) {
  const MapReader map(node, "sources", keys::kSource, values);
  std::optional<std::string> text, conflict;
  std::optional<bool> mark;
  map.read_required("text", text);
  for (const char* key : {"verified", "assumed", "extrapolated"}) map.read(key, mark);
  map.read("conflict", conflict);
  return text.has_value();
}

void read_sources(const YamlNode& node, DeviceSpec& device, const ValueReader& values) {
  if (values.mapping(node, "sources") == nullptr) return;
  for (const YamlEntry& entry : node.entries)
    if (entry.value.is_mapping() ? is_source(entry.value, values) : values.text(entry.value, entry.key).has_value())
      device.sources.emplace_back(entry.key, figure_source(entry.value));
}

void read_core_groups(const YamlNode& node, CoreGroups& groups, const ValueReader& values) {
  if (values.list(node, "core_groups") == nullptr) return;
  for (const YamlNode& item : node.items) {
    const MapReader map(item, "core_groups", keys::kDeviceCoreGroups, values);
    CoreGroupLevel level;
    map.read_required("name", level.name);
    if (const YamlNode* sizes = map.find("sizes"); sizes != nullptr && values.list(*sizes, "sizes") != nullptr) {
      for (const YamlNode& size : sizes->items)
        if (const auto cores = map.read_value<std::uint32_t>(size, "sizes")) level.sizes.push_back(*cores);
      map.read("count", level.count);  // refused beside `sizes`
    } else if (sizes == nullptr) {
      map.read_required("count", level.count);
    }
    groups.push_back(std::move(level));
  }
}

void read_clusters(const YamlNode& node, DeviceSpec& device, const ValueReader& values) {
  ClusterRule& clusters = device.clusters.emplace();
  const MapReader map(node, "clusters", keys::kDeviceClusters, values);
  map.read_keys(clusters);
  if (const YamlNode* preferred = known_value(map.find("preferred"), "clusters.preferred", device))
    if (const auto is_there = values.truth(*preferred, "preferred")) clusters.preferred = *is_there;
}

/// Reads the hardware queues. `starts: any_order`, by which a scenario removes the device's order, needs no queues.
void read_hardware_queues(const YamlNode& node, DeviceSpec& device, const ValueReader& values) {
  using Start = std::optional<HardwareQueueStart>;
  constexpr std::array<std::pair<std::string_view, Start>, 3> starts{{{"in_order", HardwareQueueStart::in_order},
                                                                      {"after_end", HardwareQueueStart::after_end},
                                                                      {"any_order", std::nullopt}}};
  const MapReader map(node, "hardware_queues", keys::kDeviceHardwareQueues, values);
  HardwareQueueRule rule;
  Start start = rule.starts;
  map.read("starts", start, starts);
  map.read("count", rule.count);
  if (!start) return;
  rule.starts = *start;
  device.hardware_queues = rule;
}

/// Reads times and copies between the host and the device.
void read_host_side(const MapReader& map, DeviceSpec& device) {
  if (const auto* cost = map.find("launch_cost")) read_launch_cost(*cost, device.launch_cost.emplace(), map.values());
  if (const auto* graph = map.find("graph")) {
    const MapReader of_graph(*graph, "graph", keys::kDeviceGraph, map.values());
    of_graph.read_required("dependency_gap", device.graph_gap.emplace());
  }
  if (const auto* submission = map.find("submission")) {
    const MapReader of_submission(*submission, "submission", keys::kDeviceSubmission, map.values());
    constexpr std::array<std::pair<std::string_view, bool>, 2> firsts{{{"in_batch", false}, {"at_once", true}}};
    SubmissionRule& rule = device.submission.emplace();
    of_submission.read_keys(rule);
    of_submission.read("first", rule.sends_first_at_once, firsts);
  }
  if (const auto* queues = map.find("hardware_queues")) read_hardware_queues(*queues, device, map.values());
  if (const auto* copy = known_value(map.find("copy"), "copy", device))
    device.copy = map.read_value<CopyRule>(*copy, "copy");
}

void read_parts(const MapReader& map, DeviceSpec& device, ModelLibrary& models) {
  const ValueReader& values = map.values();
  if (const auto* contexts = map.find("contexts"))
    MapReader(*contexts, "contexts", keys::kDeviceContexts, values)
        .read_required("allocation", device.context_allocation);
  if (const auto* node = map.find("core_groups")) read_core_groups(*node, device.core_groups, values);
  if (const auto* node = known_value(map.find("clusters"), "clusters", device)) read_clusters(*node, device, values);
  if (map.find("tie_order") != nullptr) read_tie_order(map, device.tie_order);
  if (const auto* node = known_value(map.find("large_grf"), "large_grf", device))
    MapReader(*node, "large_grf", keys::kDeviceLargeGrf, values)
        .read_required("contexts_per_thread", device.large_grf_contexts);
  if (const auto* node = map.find("terms")) read_terms(*node, device.terms, models, values);
  if (const auto* node = map.find("dispatch")) read_dispatch(*node, device.dispatch, values);
  if (const auto* node = map.find("sources")) read_sources(*node, device, values);
}

/// Makes groups of `count` cores work as one core.
void merge_cores(std::uint32_t count, const YamlNode& mode, DeviceSpec& device, const ValueReader& values) {
  if (device.cores % count != 0) {
    values.fail(mode, "mode", std::to_string(device.cores) + " cores cannot be merged by " + std::to_string(count));
    return;
  }
  const std::uint64_t engines = std::uint64_t{device.engines_per_core} * count;
  if (engines > device_limits::kContextsPerCore) {
    values.fail(mode, "mode",
                std::to_string(count) + " merged cores have " + std::to_string(engines) + " engines; at most " +
                    std::to_string(device_limits::kContextsPerCore) + " are allowed");
    return;
  }
  device.cores /= count;
  device.engines_per_core = static_cast<std::uint32_t>(engines);
}

/// Applies the mode that `mode` names to the device; returns the number of cores that then work as one.
std::uint32_t apply_mode(YamlNode& device, const YamlNode& mode, const ValueReader& values) {
  const YamlNode* modes = device.find("modes");
  const YamlNode* chosen = modes != nullptr ? modes->find(mode.text) : nullptr;
  if (chosen == nullptr) {
    std::vector<std::string_view> names;
    if (modes != nullptr)
      for (const YamlEntry& entry : modes->entries) names.push_back(entry.key);
    values.fail(mode, "mode",
                "is " + describe(mode) + "; " + (names.empty() ? "this device has no modes" : "known: " + join(names)));
    return 1;
  }
  std::uint32_t merged = 1;
  const YamlNode over = *chosen;
  MapReader(over, "mode", keys::kMode, values).read("merges_cores", merged);
  for (const YamlEntry& entry : over.entries)
    if (entry.key != "merges_cores" && entry.key != "sources") overlay_entry(device, entry);
  return merged;
}

/// Checks every mode, used or not.
void check_modes(const MapReader& map) {
  const YamlNode* modes = map.find("modes");
  if (modes == nullptr || map.values().mapping(*modes, "modes") == nullptr) return;
  for (const YamlEntry& entry : modes->entries) MapReader(entry.value, "mode", keys::kMode, map.values());
}

}  // namespace

void read_dispatch(const YamlNode& node, DispatchRules& rules, const ValueReader& values,
                   std::span<const OwnKernelChoice> own_choices) {
  const MapReader map(node, "dispatch", keys::kDispatch, values);
  map.read_keys(rules);
  if (const YamlNode* choice = map.find("kernel_choice")) read_kernel_choice(*choice, own_choices, rules, values);
  if (const YamlNode* rule = map.find("preemption")) read_preemption(*rule, rules.preemption.emplace(), values);
  if (map.find("tie_order") != nullptr) read_tie_order(map, rules.tie_order.emplace());
}

namespace {

std::optional<DeviceSpec> read_tree(const YamlNode& tree, std::uint32_t merged, ModelLibrary& models,
                                    const ValueReader& values, const YamlNode* mode) {
  const std::size_t before = values.problems().size();
  DeviceSpec device;
  const MapReader map(tree, "device", keys::kDevice, values);
  map.read("device", device.id);
  if (device.id.empty()) device.id = "device";
  device.name = device.id;
  map.read("name", device.name);
  map.read_keys(device);
  if (const YamlNode* clock = map.find("clock")) read_clock(*clock, device, values);
  if (const YamlNode* power = map.find("power")) read_power(*power, device.power, values);
  read_sharing(map, device);
  read_parts(map, device, models);
  read_host_side(map, device);
  check_modes(map);
  if (const YamlNode* partitions = map.find("partitions")) check_partitions(*partitions, values);
  if (const YamlNode* partition = map.find("partition"))
    values.fail(*partition, "partition",
                "needs `base:`, the model that defines the partition: `device: {base: a100-80gb, partition: 3g.40gb}`");
  if (merged > 1) merge_cores(merged, *mode, device, values);
  if (values.problems().size() > before) return std::nullopt;
  leave_out_cycles(device);
  for (const Issue& issue : check_device(device)) {
    const std::string field = dotted(issue.path.substr(issue.path.find('.') + 1));
    values.problems().add(mark_of(tree, field), "device: " + field + ": " + issue.message);
  }
  if (values.problems().size() > before) return std::nullopt;
  return device;
}

/// Returns a dotted path in which numbers stand for the names of list entries.
std::string path_by_number(const YamlNode& tree, const std::string& path) {
  for (const ModelLeaf& leaf : model_leaves(tree))
    if (leaf.path == path) return leaf.path_by_number;
  return path;
}

/// Reads the device once for each alternative that the model names. Each must be a value that the device can have.
void read_alternatives(const YamlNode& tree, std::uint32_t merged, ModelLibrary& models, const ValueReader& values,
                       const YamlNode* mode, DeviceSpec& device) {
  const YamlNode* alternatives = tree.find("alternatives");
  if (alternatives == nullptr || values.mapping(*alternatives, "alternatives") == nullptr) return;
  for (const YamlEntry& entry : alternatives->entries) {
    if (values.list(entry.value, entry.key) == nullptr) continue;
    const std::string path = path_by_number(tree, entry.key);
    const YamlNode* value = find_path(tree, path);
    for (const YamlNode& other : entry.value.items) {
      YamlNode changed = tree;
      std::erase_if(changed.entries, [](const YamlEntry& part) { return part.key == "alternatives"; });
      set_path(changed, path, other, other.mark, values.problems());
      if (auto spec = read_tree(changed, merged, models, values, mode))
        device.alternatives.push_back({entry.key, value != nullptr ? flow_text(*value) : "not given", flow_text(other),
                                       std::make_shared<const DeviceSpec>(std::move(*spec))});
    }
  }
}

std::optional<DeviceSpec> read_new_device(const YamlNode& reference, const std::filesystem::path& near,
                                          ModelLibrary& models, const ValueReader& values, const YamlNode* mode) {
  const std::size_t before = values.problems().size();
  auto resolved = models.resolve(reference, near, values);
  if (!resolved) return std::nullopt;
  const std::uint32_t merged = mode != nullptr ? apply_mode(*resolved, *mode, values) : 1;
  auto device = read_tree(*resolved, merged, models, values, mode);
  if (device) read_alternatives(*resolved, merged, models, values, mode, *device);
  return values.problems().size() > before ? std::nullopt : std::move(device);
}

/// Appends a key that is equal for equally written nodes.
void append_key(const YamlNode& node, std::string& key) {
  key += node.is_scalar() ? (node.style == YamlNode::Style::quoted ? 'q' : 'p') : node.is_sequence() ? '[' : '{';
  key += std::to_string(node.text.size() + node.items.size() + node.entries.size()) + ":" + node.text;
  for (const YamlNode& item : node.items) append_key(item, key);
  for (const YamlEntry& entry : node.entries) {
    key += std::to_string(entry.key.size()) + ":" + entry.key;
    append_key(entry.value, key);
  }
}

}  // namespace

std::optional<DeviceSpec> read_device(const YamlNode& reference, const std::filesystem::path& near,
                                      ModelLibrary& models, const ValueReader& values, const YamlNode* mode) {
  std::string key = near.string() + "\n";
  append_key(reference, key);
  if (mode != nullptr) append_key(*mode, key);
  if (const DeviceSpec* known = models.find_device(key)) return *known;
  auto device = read_new_device(reference, near, models, values, mode);
  if (device) models.keep_device(std::move(key), *device);
  return device;
}

}  // namespace gdsim
