#include "occupancy/ncu_calculator.hpp"

#include "occupancy/occupancy_answer.hpp"
#include "options/options.hpp"

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace gdsim::cli {
namespace {

std::string value_row(std::string_view name, std::string_view value) {
  return fmt::format("  {:<44} {:>12}\n", name, value);
}
std::string value_row(std::string_view name, std::uint64_t value) { return value_row(name, std::to_string(value)); }

std::string cells_row(std::string_view name, std::string_view first, std::string_view second, std::string_view third) {
  return fmt::format("{:<46} {:>12} {:>12} {:>14}\n", name, first, second, third);
}

std::string count_text(const std::optional<std::uint64_t>& count) { return count ? std::to_string(*count) : "-"; }

std::string bytes_text(Bytes amount) { return std::to_string(amount.count); }

/// What a block is given of each resource, what an SM has of it, and how many blocks that allows.
std::string allocated_text(const DeviceSpec& device, const Occupancy& occupancy) {
  std::string text = cells_row("Allocated Resources", "Per Block", "Limit Per SM", "Blocks Per SM");
  const auto row = [&](std::string_view name, Resource resource, const std::string& block, const std::string& limit) {
    text += cells_row("  " + std::string(name), block, limit, count_text(occupancy.limits.limit_of(resource)));
  };
  row("Warps", Resource::threads, std::to_string(occupancy.threads_per_work_group),
      std::to_string(device.contexts_per_core()));
  if (device.registers)
    row("Registers", Resource::registers, count_text(occupancy.allocated_registers),
        std::to_string(device.registers->per_engine * device.engines_per_core));
  row("Shared Memory (bytes)", Resource::slm, bytes_text(occupancy.allocated_slm), bytes_text(device.slm.per_core));
  if (occupancy.limits.limit_of(Resource::barriers))
    row("Barriers", Resource::barriers, "-", count_text(device.barriers_per_core));
  row("Blocks", Resource::work_group_slots, "1", count_text(device.work_groups_per_core));
  return text;
}

/// How many blocks and warps each resource alone allows.
std::string limiters_table(const Occupancy& occupancy) {
  constexpr std::array<std::pair<Resource, std::string_view>, 5> rows{
      {{Resource::threads, "Max Warps per Multiprocessor"},
       {Resource::work_group_slots, "Max Blocks per Multiprocessor"},
       {Resource::registers, "Registers per Multiprocessor"},
       {Resource::slm, "Shared Memory per Multiprocessor"},
       {Resource::barriers, "Barriers per Multiprocessor"}}};
  std::string text = cells_row("Occupancy Limiters", "Blocks/SM", "Warps/Block", "Warps/SM");
  for (const auto& [resource, name] : rows) {
    const auto blocks = occupancy.limits.limit_of(resource);
    if (!blocks) continue;
    const bool limits = std::count(occupancy.limiters.begin(), occupancy.limiters.end(), resource) > 0;
    text +=
        cells_row("  " + std::string(name), std::to_string(*blocks), std::to_string(occupancy.threads_per_work_group),
                  std::to_string(*blocks * occupancy.threads_per_work_group));
    if (limits) text.insert(text.size() - 1, "  <- limits");
  }
  return text;
}

}  // namespace

void require_ncu_device(const DeviceSpec& device) {
  if (device.vendor != "nvidia")
    throw UsageError("--format ncu: Nsight Compute's calculator knows NVIDIA's devices, and " + in_quotes(device.id) +
                     " is of " + in_quotes(device.vendor) + "; use --format text, json or csv");
}

std::string ncu_device_text(const DeviceSpec& device) {
  const std::uint64_t warp = device.sub_group_sizes.front();
  std::string text = device.name + "\n\nPhysical Limits\n";
  text += value_row("Threads per Warp", warp);
  text += value_row("Max Warps per Multiprocessor", device.contexts_per_core());
  if (device.work_groups_per_core)
    text += value_row("Max Thread Blocks per Multiprocessor", *device.work_groups_per_core);
  text += value_row("Max Threads per Multiprocessor", device.contexts_per_core() * warp);
  text += value_row("Maximum Thread Block Size", device.max_work_group_size);
  if (const auto& registers = device.registers) {
    text += value_row("Registers per Multiprocessor", registers->per_engine * device.engines_per_core);
    if (registers->per_work_group) text += value_row("Max Registers per Thread Block", *registers->per_work_group);
    text += value_row("Register Allocation Unit Size", registers->granule);
  }
  text += value_row("Shared Memory per Multiprocessor (bytes)", bytes_text(device.slm.per_core));
  text += value_row("Max Shared Memory per Block (bytes)", bytes_text(device.slm.per_work_group));
  if (device.slm.sizes.empty()) text += value_row("Shared Memory Allocation Unit Size", bytes_text(device.slm.granule));
  text += value_row("Shared Memory per Block, CUDA Runtime (bytes)", bytes_text(device.slm.reserve));
  return text;
}

std::string ncu_kernel_text(const std::string& name, const Kernel& kernel, const DeviceSpec& device,
                            const Occupancy& occupancy) {
  std::string text = name.empty() ? "\n" : "\n" + name + "\n";
  text += value_row("Threads Per Block", kernel.range.group_size());
  text += value_row("Registers Per Thread", kernel.needs.registers);
  text += value_row("Shared Memory Per Block (bytes)", bytes_text(kernel.needs.slm.total));
  if (kernel.cluster_size() > 1) text += value_row("Cluster Size", kernel.cluster_size());
  text += "\n";
  if (occupancy.status != FitStatus::ok) {
    for (const Issue& refusal : occupancy.refusals)
      text += fmt::format("{}: {}\n", name_of(occupancy.status), refusal.message);
    return text;
  }
  text += "Occupancy Data\n";
  text += value_row("Active Threads per Multiprocessor", occupancy.work_groups_per_core * kernel.range.group_size());
  text += value_row("Active Warps per Multiprocessor", occupancy.threads_per_core);
  text += value_row("Active Thread Blocks per Multiprocessor", occupancy.work_groups_per_core);
  text += value_row("Occupancy of each Multiprocessor", to_fixed(occupancy.percent, 1) + " %");
  if (occupancy.active_clusters) text += value_row("Max Active Clusters", *occupancy.active_clusters);
  return text + "\n" + allocated_text(device, occupancy) + "\n" + limiters_table(occupancy);
}

}  // namespace gdsim::cli
