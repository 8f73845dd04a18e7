#include "occupancy/occupancy_text.hpp"

#include "occupancy/occupancy_answer.hpp"
#include "options/options.hpp"

#include <gdsim/analysis/lanes.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/occupancy/next_step.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace gdsim::cli {
namespace {

std::string change_text(const ResourceReduction& change, const DeviceSpec& device) {
  const Terms& terms = device.terms;
  switch (change.resource) {
    case Resource::threads:
      return fmt::format("at most {} work-items per {} instead of {}", change.to, terms.work_group, change.from);
    case Resource::slm: return fmt::format("at most {} B of {} instead of {} B", change.to, terms.slm, change.from);
    case Resource::registers:
      return fmt::format("at most {} {} instead of {}", change.to,
                         device.grf_per_context ? "GRFs per " + terms.thread : "registers per work-item", change.from);
    default:
      return fmt::format("at most {} {} instead of {}", change.to, words_for(change.resource, terms), change.from);
  }
}

class OccupancyText {
 public:
  OccupancyText(const Kernel& kernel, const DeviceSpec& device, const Occupancy& occupancy,
                AskedCooperative cooperative)
      : kernel_(kernel), device_(device), occupancy_(occupancy), cooperative_(cooperative), terms_(device.terms) {}

  std::string write() {
    line("{}", device_.name);
    line("{} of {} work-items: {}{}", terms_.work_group, kernel_.range.group_size(),
         counted(occupancy_.threads_per_work_group, terms_.thread), sub_groups());
    line("");
    for (const Issue& refusal : occupancy_.refusals) line("{}: {}", name_of(occupancy_.status), refusal.message);
    if (occupancy_.status != FitStatus::refused) {
      limits();
      if (occupancy_.status == FitStatus::ok) residents();
      next();
    }
    if (occupancy_.vendor_value) line("The vendor's tool says {}.", describe(*occupancy_.vendor_value));
    return std::move(text_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_.push_back('\n');
  }

  /// ` (sub-groups of 8)`; empty unless the vendor's word for a thread also means a work-item.
  std::string sub_groups() const {
    if (terms_.thread != "thread") return {};
    return fmt::format(" (sub-group{} of {})", occupancy_.threads_per_work_group == 1 ? "" : "s", kernel_.sub_group);
  }

  void limits() {
    line("{:<22} {}s per {}", "limit", terms_.work_group, terms_.core);
    for (std::size_t i = 0; i < kResourceCount; ++i) {
      const auto resource = static_cast<Resource>(i);
      const auto limit = occupancy_.limits.limit_of(resource);
      const auto& limiters = occupancy_.limiters;
      const bool limits = std::find(limiters.begin(), limiters.end(), resource) != limiters.end();
      line("  {:<20} {:>6}{}", words_for(resource, terms_), limit ? std::to_string(*limit) : "-",
           limits ? "  <- limits" + taken(resource) : "");
    }
    line("");
  }

  /// ` (16 KiB are taken for 8196 B)`; empty unless a work-group takes another amount than it asks for.
  std::string taken(Resource resource) const {
    const Bytes asked = kernel_.needs.slm.total;
    if (resource != Resource::slm || occupancy_.allocated_slm == asked) return {};
    return fmt::format(" ({} are taken for {})", to_text(occupancy_.allocated_slm), to_text(asked));
  }

  void residents() {
    line("{}, {} of {} {}s per {}: occupancy {} %", counted(occupancy_.work_groups_per_core, terms_.work_group),
         occupancy_.threads_per_core, device_.contexts_per_core(), terms_.context, terms_.core,
         to_fixed(occupancy_.percent, 1));
    lanes();
    clusters();
    if (cooperative_ == AskedCooperative::yes) largest_cooperative();
    if (!occupancy_.waves) return;
    const WaveCount& waves = *occupancy_.waves;
    const std::string last = waves.tail == 0 ? "none left over"
                                             : fmt::format("then {} left over ({} % of a wave)", waves.tail,
                                                           to_fixed({UInt128{waves.tail} * 100, waves.per_wave}, 1));
    line("{} on {}: {}, {}", counted(waves.work_groups, terms_.work_group), counted(device_.cores, terms_.core),
         counted(waves.full_waves, "full wave"), last);
  }

  /// `lanes: 33 of 64 of a block hold a work-item (51.6 %); sizes that are multiples of 32 leave none empty`; no line
  /// if all lanes do.
  void lanes() {
    const GroupLanes lanes = lanes_of_group(kernel_);
    if (!lanes.are_full())
      line("lanes: {} of {} of a {} hold a work-item ({} %); sizes that are multiples of {} leave none empty",
           lanes.active, lanes.all, terms_.work_group, to_fixed(lanes.percent(), 1), kernel_.sub_group);
  }

  /// `active clusters of 16 blocks: 66 on 148 SMs`.
  void clusters() {
    if (!occupancy_.active_clusters) return;
    line("active clusters of {}: {} on {}", counted(kernel_.cluster_size(), terms_.work_group),
         *occupancy_.active_clusters, counted(device_.cores, terms_.core));
    if (has_non_portable_clusters(kernel_, device_))
      line("Not portable: only clusters of up to {} {}s are possible on every device of this kind.",
           device_.clusters->max, terms_.work_group);
    if (const auto note = assumed_groups_note(device_); note && kernel_.cluster_size() > 1) line("{}", *note);
  }

  /// `cooperative launch: at most 264 blocks on 132 SMs`.
  void largest_cooperative() {
    const std::uint64_t most = max_co_resident(kernel_, device_, device_.dispatch, {});
    const bool is_beyond = occupancy_.waves && occupancy_.waves->work_groups > most;
    line("cooperative launch: at most {} on {}{}", counted(most, terms_.work_group),
         counted(device_.cores, terms_.core),
         is_beyond ? fmt::format("; this launch has {} and is refused", occupancy_.waves->work_groups) : "");
  }

  void next() {
    if (occupancy_.threads_per_core == device_.contexts_per_core()) {
      line("Every {} is held: no change of the kernel raises the occupancy.", terms_.context);
      return;
    }
    const NextStep step = next_step(kernel_, device_);
    if (step.fixed_limit) {
      line("Next step: none; no change of the kernel relieves the limit of {}.", words_for(*step.fixed_limit, terms_));
      return;
    }
    std::string changes;
    for (const ResourceReduction& change : step.changes)
      changes += (changes.empty() ? "" : " and ") + change_text(change, device_);
    line("Next step: {} per {} would fit with {}.", counted(step.work_groups, terms_.work_group), terms_.core, changes);
  }

  const Kernel& kernel_;
  const DeviceSpec& device_;
  const Occupancy& occupancy_;
  AskedCooperative cooperative_;
  const Terms& terms_;
  std::string text_;
};

void write_limits(const Occupancy& occupancy, JsonWriter& json) {
  json.key("limits").open_object();
  for (std::size_t i = 0; i < kResourceCount; ++i) {
    const auto resource = static_cast<Resource>(i);
    const auto limit = occupancy.limits.limit_of(resource);
    json.key(gdsim::name_of(resource));
    if (limit) {
      json.count(*limit);
    } else {
      json.none();
    }
  }
  json.close_object();
}

void write_next_step(const NextStep& step, JsonWriter& json) {
  json.key("next_step").open_object();
  json.key("work_groups_per_core").count(step.work_groups);
  json.key("obstacle");
  if (step.fixed_limit) {
    json.text(gdsim::name_of(*step.fixed_limit));
  } else {
    json.none();
  }
  json.key("changes").open_list();
  for (const ResourceReduction& change : step.changes) {
    json.open_object();
    json.key("resource").text(gdsim::name_of(change.resource));
    json.key("from").count(change.from);
    json.key("to").count(change.to);
    json.close_object();
  }
  json.close_list();
  json.close_object();
}

}  // namespace

std::string occupancy_text(const Kernel& kernel, const DeviceSpec& device, const Occupancy& occupancy,
                           AskedCooperative cooperative) {
  return OccupancyText(kernel, device, occupancy, cooperative).write();
}

std::string occupancy_json(const Kernel& kernel, const DeviceSpec& device, const Occupancy& occupancy,
                           AskedCooperative cooperative) {
  JsonWriter json;
  json.open_object();
  json.key("device").text(device.id);
  json.key("status").text(name_of(occupancy.status));
  json.key("reasons").open_list();
  for (const Issue& refusal : occupancy.refusals) json.text(refusal.message);
  json.close_list();
  json.key("preferred_multiple_of_local").count(kernel.sub_group);
  json.key("threads_per_work_group").count(occupancy.threads_per_work_group);
  json.key("work_groups_per_core").count(occupancy.work_groups_per_core);
  json.key("threads_per_core").count(occupancy.threads_per_core);
  json.key("contexts_per_core").count(device.contexts_per_core());
  json.key("occupancy_percent").fraction(occupancy.percent);
  write_limits(occupancy, json);
  json.key("limiters").open_list();
  for (const Resource limiter : occupancy.limiters) json.text(gdsim::name_of(limiter));
  json.close_list();
  json.key("waves");
  if (occupancy.waves) {
    json.open_object();
    json.key("work_groups").count(occupancy.waves->work_groups);
    json.key("per_wave").count(occupancy.waves->per_wave);
    json.key("full").count(occupancy.waves->full_waves);
    json.key("tail").count(occupancy.waves->tail);
    json.close_object();
  } else {
    json.none();
  }
  json.key("vendor_value");
  if (occupancy.vendor_value) {
    json.text(describe(*occupancy.vendor_value));
  } else {
    json.none();
  }
  if (occupancy.status != FitStatus::refused) write_next_step(next_step(kernel, device), json);
  if (occupancy.active_clusters) {
    json.key("active_clusters").count(*occupancy.active_clusters);
    json.key("assumed_core_groups").truth(assumed_groups_note(device).has_value());
  }
  if (cooperative == AskedCooperative::yes)
    json.key("cooperative_work_groups").count(max_co_resident(kernel, device, device.dispatch, {}));
  json.key("lanes_active_percent").fraction(lanes_of_group(kernel).percent());
  json.key("schema_version").count(1);
  json.close_object();
  return json.finish();
}

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
