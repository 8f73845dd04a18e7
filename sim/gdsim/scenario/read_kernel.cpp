#include <gdsim/scenario/read_kernel.hpp>

#include <gdsim/scenario/keys.hpp>

#include <algorithm>

namespace gdsim {
namespace {

constexpr std::array<std::string_view, 2> kSteps{"compute", "barrier"};

/// Sizes as they are written: `64` or `[64, 64, 128]`.
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

/// The dimensions that are not used come first and are 1.
Extent extent_of(const std::vector<std::uint64_t>& sizes) {
  Extent extent{1, 1, 1};
  const std::size_t count = std::min(sizes.size(), extent.size());
  std::copy_n(sizes.begin(), count, extent.end() - static_cast<std::ptrdiff_t>(count));
  return extent;
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

void read_step(const YamlNode& node, Program& program, const ValueReader& values) {
  const std::string steps = "a step is one of " + join(kSteps);
  if (node.is_scalar() && node.text == "barrier") {
    program.emplace_back(Barrier{});
    return;
  }
  if (!node.is_mapping() || node.entries.size() != 1) {
    const std::string hint = node.is_scalar() ? did_you_mean(node.text, kSteps) : std::string();
    values.fail(
        node, "program",
        "is " + describe(node) + "; " + steps + ", as in `- compute: 10 us`" + (hint.empty() ? "" : ";" + hint));
    return;
  }
  const YamlEntry& entry = node.entries.front();
  if (entry.key == "compute") {
    if (const auto time = values.quantity<StepTime>(entry.value, "compute", parse_step_time))
      program.emplace_back(Compute{*time});
    return;
  }
  if (entry.key == "barrier") {
    values.problems().add(entry.key_mark, "program: a barrier stands alone: write `- barrier`, without a colon");
    return;
  }
  const std::string hint = did_you_mean(entry.key, kSteps);
  values.problems().add(entry.key_mark,
                        "program: unknown step '" + entry.key + "'; " + steps + (hint.empty() ? "" : ";" + hint));
}

void read_program(const YamlNode& node, Program& program, const ValueReader& values) {
  if (values.list(node, "program") == nullptr) return;
  for (const YamlNode& step : node.items) read_step(step, program, values);
}

void read_variation(const YamlNode& node, std::vector<WorkGroupFactor>& factors, const ValueReader& values) {
  const MapReader map(node, "variation", keys::kVariation, values);
  const YamlNode* groups = map.find("work_groups");
  if (groups == nullptr || values.mapping(*groups, "work_groups") == nullptr) return;
  for (const YamlEntry& entry : groups->entries) {
    YamlNode key;
    key.text = entry.key;
    key.mark = entry.key_mark;
    const auto group = values.whole(key, "work_groups");
    const auto factor = values.decimal(entry.value, "work_groups");
    if (group && factor) factors.push_back({WorkGroupId{*group}, *factor});
  }
  std::sort(factors.begin(), factors.end(),
            [](const WorkGroupFactor& a, const WorkGroupFactor& b) { return a.work_group < b.work_group; });
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

}  // namespace

ReadKernel read_kernel(const std::string& name, const YamlNode& node, const ValueReader& values) {
  ReadKernel read;
  Kernel& kernel = read.kernel;
  kernel.name = name;
  const MapReader map(node, "kernel", keys::kKernel, values);
  if (!map.is_usable()) return read;
  const auto count = [&] { return values.problems().size(); };
  const std::size_t at_needs = count();
  read_range(map, kernel.range);
  bool non_uniform = false;
  map.read("non_uniform", non_uniform, &ValueReader::truth);
  if (non_uniform) kernel.edge_groups = EdgeGroups::smaller;
  map.read_required("sub_group", kernel.sub_group, &ValueReader::whole32, 1U);
  read_needs(map, kernel.needs);
  read.has_needs = count() == at_needs;
  const std::size_t at_program = count();
  if (const auto* program = map.require("program")) read_program(*program, kernel.program, values);
  if (const auto* variation = map.find("variation")) read_variation(*variation, kernel.variation.factors, values);
  read.has_program = count() == at_program;
  return read;
}

}  // namespace gdsim
