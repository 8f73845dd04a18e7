#include <gdsim/import/ptx/import_program.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/nvidia/l1_capacity.hpp>
#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>
#include <gdsim/import/ptx/program_bounds.hpp>
#include <gdsim/import/ptx/program_segment.hpp>
#include <gdsim/import/ptx/program_steps.hpp>

#include <fmt/format.h>

#include <algorithm>

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
}

/// Notes that no step stands for a fence, since it is not known what it waits for.
void add_fences(const KernelProfile& profile, ImportedProgram& program) {
  constexpr std::size_t max_listed = 8;
  const auto& instructions = profile.kernel->kernel->instructions;
  std::string lines;
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    const bool is_fence = instructions[i].name() == "fence" || instructions[i].name() == "membar";
    if (!is_fence || profile.log->executions[profile.kernel->flow.block_at[i]] == 0) continue;
    if (++count <= max_listed) lines += fmt::format("{}{}", count == 1 ? "" : ", ", instructions[i].line);
  }
  if (count == 0) return;
  program.comments.push_back(fmt::format("ASSUMED: fences cost nothing: line{} {}{}", count == 1 ? "" : "s", lines,
                                         count > max_listed ? fmt::format(" and {} more", count - max_listed) : ""));
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
  add_fences(profile, program);
  add_missing_of_device(profile, *place.device, program);
  add_steps(profile, *place.device, program);
  add_diagnostics(profile, *place.device, program);
  return program;
}

}  // namespace gdsim
