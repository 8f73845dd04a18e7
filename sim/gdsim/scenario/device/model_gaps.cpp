#include <gdsim/scenario/device/model_gaps.hpp>

#include <gdsim/device/capability.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/scenario/device/model_sources.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace gdsim {
namespace {

using Gaps = std::vector<ModelGap>;

bool has_not_verified(const YamlEntry& source) { return !figure_source(source.value).is_verified; }

/// Returns true if the number of cores is the placeholder that a family must have.
bool has_placeholder_cores(const YamlNode& tree) {
  for (const ModelLeaf& leaf : model_leaves(tree)) {
    if (leaf.path != "cores") continue;
    const YamlEntry* source = source_of(tree, leaf);
    return source != nullptr && source->value.text.find("placeholder") != std::string::npos;
  }
  return false;
}

void add_identity(const DeviceSpec& device, const YamlNode& tree, Gaps& gaps) {
  if (device.vendor.empty()) gaps.push_back({"vendor", "`gdsim devices VENDOR` does not list it", "vendor: nvidia"});
  if (tree.find("name") == nullptr) gaps.push_back({"name", "reports call it " + device.id, "name: NVIDIA My Card"});
  if (tree.find("terms") == nullptr)
    gaps.push_back({"terms", "reports use neutral words: core, thread, work-group", "terms: nvidia"});
}

void add_time_and_size(const DeviceSpec& device, const YamlNode& tree, Gaps& gaps) {
  if (!device.clock)
    gaps.push_back(
        {"clock",
         "programs that count cycles are refused, and so are `issue` steps by kind, `slm` and `atomic` steps" +
             std::string(device.ignored_keys.empty() ? ""
                                                     : "; launch cost, recovery and interval in cycles "
                                                       "are not in force"),
         "clock: 1.7 GHz"});
  if (has_placeholder_cores(tree))
    gaps.push_back({"cores",
                    "it has the number of cores that its family has as a placeholder: " + std::to_string(device.cores),
                    "cores: 30"});
}

void add_limits(const DeviceSpec& device, const YamlNode& tree, Gaps& gaps) {
  if (!device.registers && !device.grf_per_context)
    gaps.push_back({"registers", "registers limit nothing: kernels with many of them fill the device",
                    "registers: {per_engine: 16384, granule: 256, per_work_item: 256}"});
  if (device.slm.per_core.count > 0 && device.slm.sizes.empty() && device.slm.granule.count <= 1)
    gaps.push_back({"slm.granule", "SLM is handed out byte by byte: slightly more work-groups fit than on the device",
                    "granule: 128 B"});
  if (tree.find("release") == nullptr)
    gaps.push_back({"release", "a context comes back as its thread ends", "release: work_group"});
  if (device.dispatch.placement.empty())
    gaps.push_back({"dispatch", "the scenario must say how work-groups are placed",
                    "dispatch: {placement: most_room, admission: whole}"});
  if (tree.find("launch_cost") == nullptr && device.launch_latency.count == 0)
    gaps.push_back(
        {"launch_cost", "a launch costs no time: chains of short kernels come out too fast", "launch_cost: 1 us"});
}

void add_level(const MemoryLevel& level, bool is_last, Gaps& gaps) {
  const std::string path = "memory.levels." + level.name + ".";
  if (!level.latency)
    gaps.push_back(
        {path + "latency", "loads that it serves take the time of their bandwidth alone", "latency: 400 ns"});
  if (!level.bandwidth)
    gaps.push_back({path + "bandwidth",
                    is_last ? "nothing limits how much the device reads at once" : "nothing limits what it serves",
                    "bandwidth: 336 GB/s"});
}

void add_memory(const DeviceSpec& device, Gaps& gaps) {
  if (!device.memory) {
    gaps.push_back({"memory", "`memory` steps are refused",
                    "memory: {levels: [{name: GDDR6, bandwidth: 336 GB/s, latency: 400 ns}]}"});
    return;
  }
  const MemoryRule& memory = *device.memory;
  if (!memory.core_bandwidth)
    gaps.push_back(
        {"memory.core_bandwidth", "one core can read as fast as the whole device", "core_bandwidth: 178 GB/s"});
  if (memory.levels.size() < 2)
    gaps.push_back({"memory.levels", "there is no cache: working sets make no difference",
                    "- {name: L2, capacity: 4 MiB, bandwidth: 2 TB/s, latency: 250 cycles}"});
  for (const MemoryLevel& level : memory.levels) add_level(level, &level == &memory.levels.back(), gaps);
}

void add_slm_access(const DeviceSpec& device, bool is_family, Gaps& gaps) {
  if (device.slm.per_core.count == 0) return;
  if (!device.slm_access)
    gaps.push_back(
        {"slm_access", "`slm` steps are refused", "slm_access: {banks: 32, bank_width: 4 B, latency: 23 cycles}"});
  else if (device.slm_access->latency.amount.is_zero() && !is_family)
    gaps.push_back({"slm_access.latency", "`slm` steps take the cycles of the banks alone", "latency: 23 cycles"});
  if (!device.atomics.slm) gaps.push_back({"atomics.slm", "`atomic` steps in SLM are refused", "slm: 1"});
}

/// Adds the values that programs of imported PTX need.
void add_accesses_of_ptx(const DeviceSpec& device, Gaps& gaps) {
  if (device.vendor != "nvidia") return;
  if (!device.l1)
    gaps.push_back({"l1", "`issue` steps with `l1` are refused; lines of L1 are imported as load_store instructions",
                    "l1: {lines_per_cycle: 1, latency: 33 cycles}"});
  if (!device.written_sector)
    gaps.push_back({"written_sector", "stores that write parts of sectors cost no more than whole ones",
                    "written_sector: {whole: 32 B, partial: 64 B}"});
}

void add_arithmetic(const DeviceSpec& device, Gaps& gaps) {
  constexpr std::array<std::string_view, 5> kinds{"fp32", "fp64", "int32", "sfu", "load_store"};
  for (const std::string_view kind : kinds)
    if (rate_of(device.arithmetic, kind) == nullptr)
      gaps.push_back(
          {"arithmetic." + std::string(kind), "`issue` steps of this kind are refused", std::string(kind) + ": 16"});
}

void add_copies_and_atomics(const DeviceSpec& device, bool is_family, Gaps& gaps) {
  if (!device.atomics.global)
    gaps.push_back({"atomics.global", "`atomic` steps in global memory are refused", "global: 1"});
  else if (!device.atomics.global_total)
    gaps.push_back(
        {"atomics.global_total", "atomic accesses to many addresses may come out too fast", "global_total: 27"});
  if (!device.copy && !is_family)
    gaps.push_back({"copy", "copies between host and device are refused", "copy: {engines: 2, bandwidth: 25 GB/s}"});
}

void add_sources(const YamlNode& tree, Gaps& gaps) {
  for (const ModelLeaf& leaf : model_leaves(tree))
    if (source_of(tree, leaf) == nullptr)
      gaps.push_back({"sources." + leaf.path, "the values cannot be checked", leaf.path + ": \"not verified: ...\""});
}

}  // namespace

std::vector<ModelGap> model_gaps(const DeviceSpec& device, const YamlNode& tree) {
  const bool is_family = device.kind == DeviceKind::family;
  Gaps gaps;
  add_identity(device, tree, gaps);
  if (!is_family) add_time_and_size(device, tree, gaps);
  add_limits(device, tree, gaps);
  if (!is_family) add_memory(device, gaps);
  add_slm_access(device, is_family, gaps);
  add_accesses_of_ptx(device, gaps);
  add_arithmetic(device, gaps);
  add_copies_and_atomics(device, is_family, gaps);
  add_sources(tree, gaps);
  std::erase_if(gaps, [&](const ModelGap& gap) { return lacks(device, gap.key); });
  return gaps;
}

SourceCount count_sources(const YamlNode& tree) {
  SourceCount count;
  for (const ModelLeaf& leaf : model_leaves(tree)) {
    ++count.values;
    const YamlEntry* source = source_of(tree, leaf);
    if (source != nullptr && has_not_verified(*source)) ++count.not_verified;
  }
  return count;
}

}  // namespace gdsim
