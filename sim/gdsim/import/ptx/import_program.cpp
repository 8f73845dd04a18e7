#include <gdsim/import/ptx/import_program.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/import/nvidia/l1_capacity.hpp>
#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/import/ptx/issue_step.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>
#include <gdsim/import/ptx/program_bounds.hpp>
#include <gdsim/import/ptx/program_segment.hpp>
#include <gdsim/import/ptx/program_steps.hpp>
#include <gdsim/workload/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace gdsim {
namespace {

/// The share of one resident work-group in the part of the unified cache that is not shared memory. ASSUMED: the driver
/// sets aside the smallest amount of shared memory in which the work-groups fit.
std::uint64_t l1_of_group(const ProgramPlace& place, ImportedProgram& program) {
  const auto unified = unified_cache_of(place.family);
  if (!unified) {
    program.comments.push_back("ASSUMED: L1 holds nothing; its size is not known for this device");
    return 0;
  }
  const SlmRule& rule = place.device->slm;
  const auto allocated = rule.allocated(Bytes{static_cast<std::int64_t>(place.slm)}).value_or(rule.per_core);
  const std::uint64_t needed = static_cast<std::uint64_t>(allocated.count) * place.groups_per_core;
  std::uint64_t aside = needed;
  for (const Bytes& pool : rule.pools)
    if (static_cast<std::uint64_t>(pool.count) >= needed) {
      aside = static_cast<std::uint64_t>(pool.count);
      break;
    }
  const std::uint64_t left = (*unified - std::min(*unified, aside)) / place.groups_per_core;
  program.comments.push_back(
      fmt::format("ASSUMED: L1 holds {} B of each of {} work-groups: what {} B for shared memory leave of {} KiB", left,
                  place.groups_per_core, aside, *unified / 1024));
  return left;
}

std::string extent_text(const std::array<std::uint64_t, 3>& extent) {
  return fmt::format("{},{},{}", extent[0], extent[1], extent[2]);
}

/// Adds how the kernel was launched, and the options for behaviour that depends on data.
void add_launch(const PtxLaunch& launch, ImportedProgram& program) {
  std::string text =
      fmt::format("launched with --grid {} --block {}", extent_text(launch.grid), extent_text(launch.block));
  for (const auto& [argument, value] : launch.arguments)
    text += fmt::format("{}{}{}={}", &argument == &launch.arguments.begin()->first ? " --arg " : ",", argument.first,
                        argument.second == 0 ? std::string() : fmt::format("+{}", argument.second), value);
  program.comments.push_back(text);
  for (const auto& [loop, trips] : launch.trips)
    program.comments.push_back(
        fmt::format("ASSUMED: --trips {}={}: so often, whatever the data are", printable(loop), trips));
  for (const auto& [line, is_taken] : launch.branches)
    program.comments.push_back(
        fmt::format("ASSUMED: --branch {}={}: always, whatever the data are", line, is_taken ? "taken" : "skipped"));
  if (launch.gather)
    program.comments.push_back(
        fmt::format("ASSUMED: --gather {}{}: so many sectors of each request whose addresses depend on data, {}",
                    *launch.gather, launch.gather_range ? fmt::format(":{}", *launch.gather_range) : "",
                    launch.gather_range ? "anywhere in so many bytes" : "none of which L1 or L2 holds"));
  if (launch.has_warm_l2)
    program.comments.emplace_back("ASSUMED: --warm: before the launch, L2 holds what it loads, as far as it fits");
}

void add_missing_of_device(const KernelProfile& profile, const DeviceSpec& device, ImportedProgram& program) {
  const auto add = [&](const std::string& what) {
    program.reasons.push_back(fmt::format("{} has no {}; --device names a model that has", device.id, what));
  };
  if (!device.clock) add("clock");
  if (!device.memory) add("memory");
  const PtxSegment all = whole_of(profile);
  if (!device.l1 && all.l1_cycles > 0)
    program.comments.push_back(fmt::format(
        "ASSUMED: {} has no `l1`, the pipe of L1 and shared memory: its lines stand as so many load_store instructions",
        device.id));
  for (std::size_t i = 0; i < kIssueKinds.size(); ++i) {
    const auto is_kind = [&](const ArithmeticRate& rate) { return rate.kind == kIssueKinds[i]; };
    if (all.issued[i] > 0 && std::none_of(device.arithmetic.begin(), device.arithmetic.end(), is_kind))
      add(fmt::format("rate of {} in arithmetic", kIssueKinds[i]));
  }
  for (const auto& [kind, multiply_adds] : all.multiply_adds)
    if (const std::string on_device = tensor_kind_on(device, kind); rate_of(device.arithmetic, on_device) == nullptr)
      add(fmt::format("rate of {} in arithmetic", on_device));
}

/// The lines of executed instructions for which `is_meant` holds, as in `lines 10, 11`; empty: none.
template <class IsMeant>
std::string lines_of(const KernelProfile& profile, IsMeant is_meant) {
  constexpr std::size_t max_listed = 8;
  std::string lines;
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < profile.kernel->instructions.size(); ++i) {
    if (!is_meant(i) || profile.log->executions[profile.kernel->flow.block_at[i]] == 0) continue;
    if (++count <= max_listed)
      lines += fmt::format("{}{}", count == 1 ? "" : ", ", profile.kernel->kernel->instructions[i].line);
  }
  if (count == 0) return {};
  return fmt::format("line{} {}{}", count == 1 ? "" : "s", lines,
                     count > max_listed ? fmt::format(" and {} more", count - max_listed) : "");
}

/// Notes what no step stands for, or what is not known of it.
void add_assumed(const KernelProfile& profile, const PtxLaunch& launch, ImportedProgram& program) {
  const auto add = [&](std::string_view what, const std::string& lines) {
    if (!lines.empty()) program.comments.push_back(fmt::format("ASSUMED: {}: {}", what, lines));
  };
  const auto& instructions = profile.kernel->kernel->instructions;
  const auto name_of = [&](std::uint32_t i) { return instructions[i].name(); };
  const auto& prepared = profile.kernel->instructions;
  add("fences cost nothing",
      lines_of(profile, [&](std::uint32_t i) { return name_of(i) == "fence" || name_of(i) == "membar"; }));
  add("waits for other clusters, launches and matrix instructions cost nothing",
      lines_of(profile, [&](std::uint32_t i) {
        return instructions[i].has_part("cluster") || name_of(i) == "griddepcontrol" ||
               (name_of(i) == "wgmma" && prepared[i].traits.role == PtxRole::free);
      }));
  add("an mbarrier opens when the copies that it expects are done; other waits for one cost nothing",
      lines_of(profile, [&](std::uint32_t i) { return prepared[i].traits.is_always_true; }));
  add("instructions that are in no table cost one issue slot",
      lines_of(profile, [&](std::uint32_t i) { return prepared[i].traits.is_unknown; }));
  const std::string local = lines_of(profile, [&](std::uint32_t i) {
    return profile.log->accesses[i].is_local || prepared[i].traits.space == PtxSpace::local;
  });
  add(launch.keeps_local_in_registers
          ? "arrays of work-items are in registers, since machine code has no stack"
          : "arrays of work-items lie in local memory, and L1 holds what is written to them; --cubin says whether",
      local);
}

}  // namespace

ImportedProgram import_program(const PtxKernel& kernel, const PtxLaunch& launch, const ProgramPlace& place,
                               const SourceText& source) {
  ImportedProgram program;
  add_launch(launch, program);
  ProfileRequest request;
  request.launch = launch;
  request.l1_sectors = l1_of_group(place, program) / kSectorBytes;
  request.resident_groups = std::max<std::uint64_t>(1, place.groups_per_core * place.device->cores);
  const KernelProfile profile = profile_of(kernel, request, source);
  if (!place.has_registers)
    program.comments.push_back(
        "ASSUMED: registers do not limit how many work-groups fit; PTX has none yet: --cubin FILE, a cubin or what "
        "`ptxas -v` prints, says how many there are");
  add_assumed(profile, launch, program);
  add_missing_of_device(profile, *place.device, program);
  add_steps(profile, *place.device, program);
  add_diagnostics(profile, *place.device, program);
  return program;
}

}  // namespace gdsim
