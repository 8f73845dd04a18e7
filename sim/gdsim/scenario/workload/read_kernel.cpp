#include <gdsim/scenario/workload/read_workload.hpp>

#include <gdsim/base/keys.hpp>
#include <gdsim/check/checks.hpp>
#include <gdsim/program/work_amounts.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/scenario/keys/synonyms.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace gdsim {
namespace {

using Names = std::unordered_map<std::string_view, KernelId>;

void fail_unknown(const YamlNode& name, const Names& kernels, const ValueReader& values) {
  std::vector<std::string_view> known(kernels.size());
  for (const auto& [kernel, id] : kernels) known[index_of(id)] = kernel;
  values.fail(name, "launch", "there is no kernel " + describe(name) + "; " + known_names(name.text, known));
}

/// Reads one step. Returns false if the launched kernel is unknown.
bool read_child(const YamlNode& node, const Names& kernels, LaunchChild& child, const ValueReader& values) {
  const MapReader map(node, "launch", keys::kStepLaunch, values);
  if (!map.is_usable()) return false;
  map.read("wait", child.wait);
  const YamlNode* name = map.require("kernel");
  if (name == nullptr || !values.text(*name, "kernel")) return false;
  const auto found = kernels.find(name->text);
  if (found == kernels.end()) {
    fail_unknown(*name, kernels, values);
    return false;
  }
  child.kernel = found->second;
  return true;
}

}  // namespace

void read_children(const YamlNode& node, std::vector<Kernel>& kernels, const ValueReader& values) {
  if (!node.is_mapping()) return;
  Names names;
  for (const Kernel& kernel : kernels) names.emplace(kernel.name, static_cast<KernelId>(names.size()));
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const YamlNode* program = node.entries[i].value.find("program");
    if (program == nullptr || !program->is_sequence()) continue;
    Program& steps = kernels[i].program;
    auto step = steps.begin();
    for (const YamlNode& item : program->items) {
      const YamlNode* launch = item.is_mapping() && item.entries.size() == 1 ? item.find("launch") : nullptr;
      if (launch == nullptr) continue;
      const auto is_child = [](const Step& s) { return std::holds_alternative<LaunchChild>(s); };
      step = std::find_if(step, steps.end(), is_child);
      step = read_child(*launch, names, std::get<LaunchChild>(*step), values) ? step + 1 : steps.erase(step);
    }
    for (Program& other : kernels[i].group_programs.others)
      for (std::size_t at = 0; at < std::min(steps.size(), other.size()); ++at)
        if (std::holds_alternative<LaunchChild>(other[at])) other[at] = steps[at];
  }
}

namespace {

/// Reads `1.5`, a factor, or `500 ns`, a duration; its work-group is not set yet.
std::optional<WorkGroupFactor> read_factor(const YamlNode& value, const ValueReader& values) {
  WorkGroupFactor own;
  const bool is_duration =
      value.is_scalar() && value.style == YamlNode::Style::plain && parse_step_time(value.text).value;
  if (is_duration) {
    own.duration = parse_step_time(value.text).value;
  } else if (const auto factor = values.decimal(value, "work_groups (a factor, or a duration such as 500 ns)")) {
    own.factor = *factor;
  } else {
    return std::nullopt;
  }
  return own;
}

/// Reads a work-group with its factor or duration.
std::optional<WorkGroupFactor> read_entry(const YamlEntry& entry, const ValueReader& values) {
  const auto group = values.whole(entry.key_node(), "work_groups");
  auto factor = read_factor(entry.value, values);
  if (!group || !factor) return std::nullopt;
  factor->work_group = WorkGroupId{*group};
  return factor;
}

/// Reads the values of an expression, each different value once.
void read_factors_by_group(const YamlNode& node, const GroupValues& group_values, std::vector<WorkGroupFactor>& factors,
                           const ValueReader& values) {
  YamlNode filled = node;
  filled.style = YamlNode::Style::plain;
  std::vector<WorkGroupFactor> read;
  for (std::size_t set = 0; set < group_values.texts.size(); ++set) {
    filled.text = group_values.texts[set].front();
    Diagnostics found;
    if (const auto factor = read_factor(filled, ValueReader(found))) read.push_back(*factor);
    for (Diagnostic problem : found.problems()) {
      problem.message += " (work-group " + std::to_string(group_values.first_group[set]) + ")";
      values.problems().add(std::move(problem));
    }
    if (!found.empty()) return;
  }
  factors.reserve(group_values.of_group.size());
  for (const std::uint32_t set : group_values.of_group) {
    factors.push_back(read[set]);
    factors.back().work_group = WorkGroupId{factors.size() - 1};
  }
}

void read_factors(const YamlNode& node, std::vector<WorkGroupFactor>& factors, const ValueReader& values) {
  if (values.mapping(node, "work_groups") == nullptr) return;
  factors.reserve(node.entries.size());
  for (const YamlEntry& entry : node.entries)
    if (const auto factor = read_entry(entry, values)) factors.push_back(*factor);
  std::sort(factors.begin(), factors.end(),
            [](const WorkGroupFactor& a, const WorkGroupFactor& b) { return a.work_group < b.work_group; });
}

void check_cv(const YamlNode& node, const Draw& draw, const ValueReader& values) {
  for (const std::string& fault : faults_of_cv(draw))
    values.fail(node, "cv", fault.starts_with("is ") ? describe(node) + " " + fault : fault);
}

bool is_none(const YamlNode& node) { return node.is_scalar() && node.text == "none"; }

void refuse_details_of_draw(const MapReader& map, const char* why) {
  for (const char* key : {"cv", "per", "seed"})
    if (const YamlNode* node = map.find(key)) map.values().fail(*node, key, why);
}

void read_draw(const MapReader& map, Variation& read) {
  const ValueReader& values = map.values();
  const YamlNode* distribution = map.find("distribution");
  if (distribution == nullptr)
    return refuse_details_of_draw(map, "needs a `distribution`, as in `{distribution: uniform, cv: 0.02}`");
  if (is_none(*distribution)) {
    read.is_lock_step = true;
    return refuse_details_of_draw(map, "says how factors are drawn, but with `distribution: none` none are");
  }
  Draw draw;
  const std::size_t before = values.problems().size();
  map.require("cv");
  map.read_keys(draw);
  if (values.problems().size() == before && draw.cv.is_zero()) {
    read.is_lock_step = true;  // no spread: nothing to draw
    return;
  }
  if (values.problems().size() == before) check_cv(*map.find("cv"), draw, values);
  read.draw = draw;
}

}  // namespace

Variation read_variation(const YamlNode& node, const GroupValues* group_values, const ValueReader& values) {
  Variation read;
  if (is_none(node)) {
    read.is_lock_step = true;
    return read;
  }
  if (node.is_scalar() && !node.is_missing()) {
    values.fail(node, "variation",
                "is " + describe(node) + "; `none`, or a mapping as in `{distribution: uniform, cv: 0.02}`, is needed");
    return read;
  }
  const MapReader map(node, "variation", keys::kKernelVariation, values);
  if (!map.is_usable()) return read;
  if (const YamlNode* groups = map.find("work_groups")) {
    if (group_values != nullptr && groups->group_value > 0)
      read_factors_by_group(*groups, *group_values, read.factors, values);
    else
      read_factors(*groups, read.factors, values);
  }
  map.read_keys(read);
  read_draw(map, read);
  return read;
}

namespace {

/// Reads sizes such as `64` or `[64, 64, 128]`.
std::vector<std::uint64_t> read_sizes(const YamlNode& node, std::string_view name, const ValueReader& values) {
  std::vector<std::uint64_t> sizes;
  const auto read = [&](const YamlNode& item) {
    if (const auto size = values.whole(item, name, 1)) sizes.push_back(*size);
  };
  if (!node.is_sequence()) {
    if (const std::string list = list_of_sizes(node.text); !list.empty())
      values.fail(node, name, fmt::format("is {}; write a list: `{}: {}`", describe(node), name, list));
    else
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
  if (!list_of_sizes(global->text).empty() || !list_of_sizes(local->text).empty()) return;
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

/// Returns true for `program: placeholder`: a step whose duration is arbitrary, but long compared with dispatching, so
/// that the device fills up before the first work-group ends.
bool is_placeholder(const YamlNode& program) { return program.is_scalar() && program.text == kPlaceholder; }

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
  map.read("non_uniform", kernel.edge_groups);
  if (const YamlNode* cluster = map.find("cluster")) read_cluster(*cluster, values, kernel);
  if (map.find("sub_group") == nullptr && device != nullptr && !device->sub_group_sizes.empty())
    values.problems().add(map.node().mark, missing_sub_group(*device));
  else
    map.read_required("sub_group", kernel.sub_group);
  map.read("program_sub_group", kernel.program_sub_group);
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
  const bool lacks_grf = device != nullptr && !device->large_grf_contexts;
  const MapReader map(node, "kernel", keys::kKernel, values, lacks_grf ? "large_grf" : "");
  if (!map.is_usable()) return read;
  const auto count = [&] { return values.problems().size(); };
  const std::size_t at_needs = count();
  read_division(map, device, values, kernel);
  read.has_range = count() == at_needs;
  const auto is_chosen = [&](const char* key) { return map.find(key) != nullptr && map.find(key)->is_chosen; };
  kernel.local_is_chosen = is_chosen("local");
  kernel.sub_group_is_chosen = is_chosen("sub_group");
  map.read_keys(kernel);
  read_registers(map, kernel, read.has_range && device != nullptr);
  if (const YamlNode* children = map.find("children"))
    MapReader(*children, "children", keys::kKernelChildren, values).read("begins", kernel.children_begin);
  read.has_needs = count() == at_needs;
  if (const auto* program = map.require("program"))
    read_steps(*program, read.has_range ? device : nullptr, group_values, values, read);
  if (const auto* written = map.find("variation"))
    kernel.variation = read_variation(*written, group_values != nullptr ? &group_values->factors : nullptr, values);
  const bool is_scaled = kernel.program_sub_group != 0 && kernel.program_sub_group != kernel.sub_group;
  if (is_scaled && read.has_range && read.has_steps && can_scale_lanes(kernel))
    scale_lanes(kernel, kernel.program_sub_group, kernel.sub_group);
  if (const YamlNode* spill = map.find("spill"); spill != nullptr && read.has_steps)
    read_spill(*spill, device, values, kernel);
  return read;
}

}  // namespace gdsim
