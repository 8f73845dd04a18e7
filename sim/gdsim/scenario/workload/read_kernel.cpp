#include <gdsim/scenario/workload/read_kernel.hpp>

#include <gdsim/program/scaled_program.hpp>
#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/scenario/workload/read_program.hpp>
#include <gdsim/scenario/workload/read_variation.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

/// Reads sizes such as `64` or `[64, 64, 128]`.
std::vector<std::uint64_t> read_sizes(const YamlNode& node, std::string_view name, const ValueReader& values) {
  std::vector<std::uint64_t> sizes;
  const auto read = [&](const YamlNode& item) {
    if (const auto size = values.whole(item, name, 1)) sizes.push_back(*size);
  };
  if (!node.is_sequence()) {
    read(node);
    return sizes;
  }
  if (node.items.empty() || node.items.size() > 3)
    values.fail(node, name, "has " + std::to_string(node.items.size()) + " dimensions; 1 to 3 are allowed");
  for (const YamlNode& item : node.items) read(item);
  return sizes;
}

void read_range(const MapReader& map, NdRange& range) {
  const YamlNode* global = map.require("global");
  const YamlNode* local = map.require("local");
  if (global == nullptr || local == nullptr) return;
  const auto global_sizes = read_sizes(*global, "global", map.values());
  const auto local_sizes = read_sizes(*local, "local", map.values());
  range = {extent_of(global_sizes), extent_of(local_sizes)};
  const std::size_t dimensions = global->is_sequence() ? global->items.size() : 1;
  if (const std::size_t found = local->is_sequence() ? local->items.size() : 1; found != dimensions)
    map.values().fail(*local, "local",
                      "has another number of dimensions (" + std::to_string(found) + ") than global (" +
                          std::to_string(dimensions) + ")");
}

/// A size, or a smallest and a preferred one.
void read_cluster(const YamlNode& node, const ValueReader& values, Kernel& kernel) {
  if (!node.is_mapping()) {
    kernel.cluster = read_sizes(node, "cluster", values);
    return;
  }
  const MapReader map(node, "cluster", keys::kClusterSizes, values);
  if (const YamlNode* size = map.require("size")) kernel.cluster = read_sizes(*size, "size", values);
  if (const YamlNode* preferred = map.require("preferred"))
    kernel.preferred_cluster = read_sizes(*preferred, "preferred", values);
}

void read_needs(const MapReader& map, KernelNeeds& needs) {
  map.read("slm", needs.slm.total, &ValueReader::quantity<Bytes>, parse_bytes);
  map.read("barriers", needs.barriers, &ValueReader::whole32, 0U);
  map.read("registers", needs.registers, &ValueReader::whole32, 0U);
  map.read("accumulation_registers", needs.accumulation_registers, &ValueReader::whole32, 0U);
  map.read("scalar_registers", needs.scalar_registers, &ValueReader::whole32, 0U);
  if (const YamlNode* percent = map.find("carveout_percent"))
    if (const auto value = map.values().whole(*percent, "carveout_percent", 0, 100))
      needs.slm.carveout_percent = static_cast<std::uint32_t>(*value);
  bool large_grf = false;
  map.read("large_grf", large_grf, &ValueReader::truth);
  if (large_grf) needs.grf = GrfMode::large;
}

/// Returns true for `program: placeholder`: a step whose duration is arbitrary, but long compared with dispatching, so
/// that the device fills up before the first work-group ends.
bool is_placeholder(const YamlNode& program) { return program.is_scalar() && program.text == kPlaceholder; }

constexpr std::array<std::pair<std::string_view, ChildrenBegin>, 2> kChildrenBegin{
    {{"with_parent", ChildrenBegin::with_parent}, {"after_parent", ChildrenBegin::after_parent}}};

Program placeholder_program() {
  constexpr std::int64_t one_millisecond = 1'000'000'000;
  return {Compute{{Decimal::whole(one_millisecond), StepTime::Unit::picoseconds}}};
}

AccessSizes access_sizes(const Kernel& kernel, const DeviceSpec* device) {
  if (device == nullptr) return {1, {}, false};
  if (!device->memory) return {1, {}, false, device->vendor};
  const std::uint64_t items = kernel.range.is_countable() ? kernel.range.group_size() : kernel.sub_group;
  return {static_cast<std::uint32_t>(std::min<std::uint64_t>(kernel.sub_group, items)), device->memory->line, true,
          device->vendor};
}

/// What the kernel needs besides its range and its program.
void read_costs(const MapReader& map, const ValueReader& values, Kernel& kernel) {
  map.read("jit", kernel.jit, &ValueReader::quantity<Duration>, parse_duration);
  if (const YamlNode* children = map.find("children")) {
    const MapReader of_children(*children, "children", keys::kChildren, values);
    of_children.read("begins", kernel.children_begin, &ValueReader::choice<ChildrenBegin>, std::span(kChildrenBegin));
  }
  map.read("in_flight", kernel.in_flight, &ValueReader::quantity<Bytes>, parse_bytes);
  map.read("working_set", kernel.working_set, &ValueReader::quantity<Bytes>, parse_bytes);
  map.read("shared_working_set", kernel.shared_working_set, &ValueReader::quantity<Bytes>, parse_bytes);
}

/// Returns the message for a device of several sizes: of one with a single size, the key may be left out.
std::string missing_sub_group(const DeviceSpec& device) {
  std::string sizes;
  for (const std::uint32_t size : device.sub_group_sizes) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  return "kernel: the key 'sub_group' is missing; " + device.id + " has the sizes " + sizes +
         ": write one of them, as in `sub_group: " + std::to_string(device.sub_group_sizes.back()) +
         "`, or `sub_group: auto`";
}

/// How the range is divided into work-groups and sub-groups.
void read_division(const MapReader& map, const DeviceSpec* device, const ValueReader& values, Kernel& kernel) {
  read_range(map, kernel.range);
  bool non_uniform = false;
  map.read("non_uniform", non_uniform, &ValueReader::truth);
  if (non_uniform) kernel.edge_groups = EdgeGroups::smaller;
  if (const YamlNode* cluster = map.find("cluster")) read_cluster(*cluster, values, kernel);
  if (map.find("sub_group") == nullptr && device != nullptr && !device->sub_group_sizes.empty())
    values.problems().add(map.node().mark, missing_sub_group(*device));
  else
    map.read_required("sub_group", kernel.sub_group, &ValueReader::whole32, 1U);
  map.read("program_sub_group", kernel.program_sub_group, &ValueReader::whole32, 1U);
}

/// Reads the program. `device`: null, if access sizes do not follow from it.
void read_steps(const YamlNode& program, const DeviceSpec* device, const KernelGroupValues* group_values,
                const ValueReader& values, ReadKernel& read) {
  Kernel& kernel = read.kernel;
  const AccessSizes sizes = access_sizes(kernel, device);
  kernel.has_placeholder = is_placeholder(program);
  read.has_steps = program.is_sequence() || kernel.has_placeholder;
  if (kernel.has_placeholder)
    kernel.program = placeholder_program();
  else if (group_values != nullptr && !group_values->program.of_group.empty())
    read.has_steps = read_programs(program, sizes, *group_values, kernel, values);
  else
    read_program(program, sizes, kernel.program, values, group_values != nullptr ? &group_values->tiles : nullptr);
}

}  // namespace

ReadKernel read_kernel(const std::string& name, const YamlNode& node, const KernelGroupValues* group_values,
                       const DeviceSpec* device, const ValueReader& values) {
  ReadKernel read;
  Kernel& kernel = read.kernel;
  kernel.name = name;
  const MapReader map(node, "kernel", keys::kKernel, values);
  if (!map.is_usable()) return read;
  const auto count = [&] { return values.problems().size(); };
  const std::size_t at_needs = count();
  read_division(map, device, values, kernel);
  read.has_range = count() == at_needs;
  const auto is_chosen = [&](const char* key) { return map.find(key) != nullptr && map.find(key)->is_chosen; };
  kernel.local_is_chosen = is_chosen("local");
  kernel.sub_group_is_chosen = is_chosen("sub_group");
  read_needs(map, kernel.needs);
  read_costs(map, values, kernel);
  read.has_needs = count() == at_needs;
  const std::size_t at_program = count();
  if (const auto* program = map.require("program"))
    read_steps(*program, read.has_range ? device : nullptr, group_values, values, read);
  if (const auto* written = map.find("variation"))
    kernel.variation = read_variation(*written, group_values != nullptr ? &group_values->factors : nullptr, values);
  read.has_program = count() == at_program;
  const bool is_scaled = kernel.program_sub_group != 0 && kernel.program_sub_group != kernel.sub_group;
  if (is_scaled && read.has_range && read.has_steps && can_scale_lanes(kernel))
    scale_lanes(kernel, kernel.program_sub_group, kernel.sub_group);
  return read;
}

}  // namespace gdsim
