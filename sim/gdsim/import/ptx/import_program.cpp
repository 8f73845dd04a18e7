#include <gdsim/import/ptx/import_program.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/import/nvidia/cubin.hpp>
#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>
#include <gdsim/import/ptx/program_segment.hpp>
#include <gdsim/program/work_amounts.hpp>
#include <gdsim/workload/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
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

}  // namespace

std::string extent_text(const std::array<std::uint64_t, 3>& extent) {
  return fmt::format("{},{},{}", extent[0], extent[1], extent[2]);
}

void add_launch(const PtxLaunch& launch, ImportedProgram& program) {
  std::string text =
      fmt::format("launched with --grid {} --block {}", extent_text(launch.grid), extent_text(launch.block));
  for (const auto& [argument, value] : launch.arguments)
    text += fmt::format("{}{}={}", &argument == &launch.arguments.begin()->first ? " --arg " : ",",
                        name_of_argument(argument), value);
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
    program.comments.emplace_back(
        "ASSUMED: --warm: before the launch, the last cache holds what it loads, as far as it fits");
}

namespace {

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

constexpr double kPartOfPair = 0.5;

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
  if (!profile.machine_code.is_complete)
    add("sums and products of single halves are packed in pairs",
        lines_of(profile, [&](std::uint32_t i) { return prepared[i].costs[kFp16Index] == kPartOfPair; }));
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
  request.code = place.code;
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

namespace {

/// Its cycles are those of the lowest clock, where they are fewest.
ProgramBound bound_of_bytes(double bytes, const MemoryLevel& level, std::string_view remark, const DeviceSpec& device) {
  const std::string what = level.name + std::string(remark);
  if (!level.bandwidth || !device.clock || level.bandwidth->count == 0) return {what};
  const double seconds = bytes / static_cast<double>(level.bandwidth->count);
  return {what, seconds * static_cast<double>(clock_range(device).first.count), seconds, true};
}

/// The sectors that its requests would touch if their lanes were coalesced.
double ideal_sectors(const AccessCounts& counts, std::uint32_t bytes) {
  const double lanes = static_cast<double>(counts.lanes) / static_cast<double>(counts.requests);
  return std::max(1.0, lanes * bytes / static_cast<double>(kSectorBytes));
}

std::string access_text(const KernelProfile& profile, std::uint32_t number) {
  const PtxInstruction& instruction = profile.kernel->kernel->instructions[number];
  const AccessCounts& counts = profile.log->accesses[number];
  const std::string head = fmt::format("line {}: {}", instruction.line, printable(instruction.opcode));
  const std::uint32_t bytes = profile.widths[number];
  if (bytes == 0) return head + ", joined with a neighbour";
  const auto requests = static_cast<double>(counts.requests);
  const std::string often = fmt::format("{:.6g} requests per warp", requests / static_cast<double>(profile.warps));
  const std::string wide = bytes != profile.kernel->instructions[number].traits.bytes
                               ? fmt::format(", joined to {} B", bytes)
                               : std::string();
  const std::string gathered = counts.is_gathered ? ", ASSUMED by --gather" : "";
  if (profile.kernel->instructions[number].traits.role == PtxRole::atomic)
    return fmt::format("{}, {}: {:.4g} addresses per request{}", head, often,
                       static_cast<double>(counts.distinct_addresses) / requests, gathered);
  if (counts.is_local)
    return fmt::format("{}, {}: {:.4g} sectors of local memory per request", head, often,
                       static_cast<double>(counts.sectors) / requests);
  if (counts.is_shared)
    return fmt::format("{}{}, {}: {:.4g} cycles of banks per request, at most {}{}", head, wide, often,
                       static_cast<double>(counts.bank_cycles) / requests, counts.max_sectors, gathered);
  const std::string sectors =
      fmt::format("{}, {}: {:.4g} sectors per request, at most {}, side by side {:.4g}", head, often,
                  static_cast<double>(counts.sectors) / requests, counts.max_sectors, ideal_sectors(counts, bytes));
  if (profile.kernel->instructions[number].traits.role == PtxRole::store) return sectors + gathered;
  const double held = 1 - static_cast<double>(counts.missed) / static_cast<double>(counts.sectors);
  return fmt::format("{}; L1 holds {:.1f} %{}", sectors, 100 * held, gathered);
}

void add_bounds(const KernelProfile& profile, const DeviceSpec& device, ImportedProgram& program) {
  for (const ProgramBound& bound : bounds_of(profile, device)) {
    std::string time;
    if (device.clock) {
      const double highest = static_cast<double>(clock_range(device).second.count);
      time = fmt::format("{:.4g} ms, ", bound.seconds.value_or(bound.cycles / highest) * 1e3);
    }
    program.comments.push_back(fmt::format("{} {}{:.4g} cycles: {}", bound.is_estimate ? "ASSUMED: about" : "not below",
                                           time, bound.cycles, bound.what));
  }
}

/// The bytes that leave L1, and those of them with known addresses.
std::pair<std::uint64_t, std::uint64_t> known_bytes(const KernelProfile& profile) {
  std::uint64_t all = 0;
  std::uint64_t known = 0;
  for (const AccessCounts& counts : profile.log->accesses) {
    all += counts.missed * kSectorBytes;
    if (!counts.is_gathered) known += counts.missed * kSectorBytes;
  }
  return {all, known};
}

/// Notes stores with requests that write sectors in part. A device without their cost counts none.
void add_partial_stores(const KernelProfile& profile, const DeviceSpec& device, ImportedProgram& program) {
  std::string lines;
  for (std::uint32_t i = 0; i < profile.log->accesses.size(); ++i) {
    const AccessCounts& counts = profile.log->accesses[i];
    const bool is_store = profile.kernel->instructions[i].traits.role == PtxRole::store;
    if (is_store && counts.whole < counts.missed)
      lines += fmt::format("{}{}", lines.empty() ? "" : ", ", profile.kernel->kernel->instructions[i].line);
  }
  if (lines.empty()) return;
  if (counts_written_sectors(device)) {
    program.comments.push_back(
        "stores write parts of sectors, which count as the device's `written_sector`, in lines " + lines);
    return;
  }
  program.partial_stores = lines;
  program.comments.push_back(fmt::format(
      "ASSUMED: stores that write parts of sectors move whole ones, 32 B each, and none is read first; they "
      "are in lines {}",
      lines));
}

/// The cache in front of the last level; null: there is none, or of unknown size.
const MemoryLevel* last_cache_of(const DeviceSpec& device) {
  if (!device.memory || device.memory->levels.size() < 2) return nullptr;
  const MemoryLevel& cache = device.memory->levels[device.memory->levels.size() - 2];
  return cache.capacity ? &cache : nullptr;
}

/// The share of loaded sectors that a warm cache does not hold: what the launch loads beyond its capacity.
double cold_share(const KernelProfile& profile, const DeviceSpec& device) {
  const MemoryLevel* const cache = last_cache_of(device);
  if (!profile.has_warm_l2 || cache == nullptr || profile.loaded_footprint <= 0) return 1;
  return std::max(0.0, 1 - static_cast<double>(cache->capacity->count) / profile.loaded_footprint);
}

/// Sized so that the last level but one, which holds capacity / working set, serves all sectors that are not distinct.
void add_working_set(const KernelProfile& profile, const DeviceSpec& device, ImportedProgram& program) {
  const double share = last_level_share(profile, device);
  const MemoryLevel* const cache = last_cache_of(device);
  constexpr double negligible = 0.005;
  if (cache == nullptr || 1 - share < negligible) return;
  program.shared_working_set = static_cast<std::uint64_t>(static_cast<double>(cache->capacity->count) / (1 - share));
  program.working_set_reason = fmt::format(
      "so large that {} serves {:.1f} % of what leaves L1: so much of it {}", cache->name, 100 - 100 * share,
      profile.has_warm_l2 ? "is there before the launch (--warm), or work-groups ask for together"
                          : fmt::format("{} work-groups ask for together", profile.followed_groups));
}

/// The bytes that stored sectors count beyond their own.
double extra_bytes_of_stores(const PtxSegment& all, const DeviceSpec& device) {
  Memory stores{Bytes{static_cast<std::int64_t>(all.stored)}};
  stores.written = WrittenSectors{all.whole_sectors, all.stored / kSectorBytes - all.whole_sectors};
  return static_cast<double>(std::max<std::int64_t>(written_bytes(stores, device) - stores.bytes.count, 0));
}

}  // namespace

double last_level_share(const KernelProfile& profile, const DeviceSpec& device) {
  const PtxSegment all = whole_of(profile);
  const std::uint64_t loads = all.loaded + all.copied;
  const auto total = static_cast<double>(loads + all.stored);
  if (total == 0) return 1;
  const double distinct = static_cast<double>(loads) * profile.distinct_loads * cold_share(profile, device) +
                          static_cast<double>(all.stored) * profile.distinct_stores;
  return distinct / total;
}

std::vector<ProgramBound> bounds_of(const KernelProfile& profile, const DeviceSpec& device) {
  const PtxSegment all = whole_of(profile);
  const auto groups = static_cast<double>(profile.groups);
  const double engines = static_cast<double>(device.cores) * device.engines_per_core;
  std::vector<ProgramBound> bounds;
  const double issued = std::accumulate(all.issued.begin(), all.issued.end(), 0.0);
  const bool is_of_ptx = !profile.machine_code.is_complete;
  bounds.push_back({"issue slots, one instruction per engine and cycle", issued * groups / engines, {}, is_of_ptx});
  for (std::size_t i = 0; i < kIssueKinds.size(); ++i)
    if (const Decimal* rate = rate_of(device.arithmetic, kIssueKinds[i]); rate != nullptr && all.issued[i] > 0)
      bounds.push_back(
          {std::string(kIssueKinds[i]) + " instructions",
           all.issued[i] * groups * (i == kFp16Index ? kHalvesOfInstruction : kLanes) / approximate(*rate) / engines,
           {},
           i == kInt32Index || (i == kLoadStoreIndex && is_of_ptx)});
  for (const auto& [kind, multiply_adds] : all.multiply_adds)
    if (const Decimal* rate = rate_of(device.arithmetic, tensor_kind_on(device, kind)); rate != nullptr)
      bounds.push_back(
          {kind + " multiply-adds", static_cast<double>(multiply_adds) * groups / approximate(*rate) / engines});
  const double lines_per_cycle = device.l1 ? approximate(device.l1->lines_per_cycle) : 1;
  bounds.push_back(
      {fmt::format("L1 and shared memory, {:.6g} lines or bank cycles per core and cycle", lines_per_cycle),
       static_cast<double>(all.l1_cycles) * groups / device.cores / lines_per_cycle,
       {},
       !device.l1 || is_of_ptx || profile.machine_code.joins_accesses});
  if (device.memory && !device.memory->levels.empty()) {
    const double bytes = static_cast<double>(all.loaded + all.copied + all.stored) * groups;
    const auto& levels = device.memory->levels;
    const double more = extra_bytes_of_stores(all, device) * groups;
    for (std::size_t i = 0; i < levels.size(); ++i)
      bounds.push_back(bound_of_bytes(i + 1 == levels.size() ? bytes * last_level_share(profile, device)
                                      : i == level_of_written_sectors(*device.memory) ? bytes + more
                                                                                      : bytes,
                                      levels[i],
                                      i + 1 == levels.size()
                                          ? ", L1 empty for each work-group, shared as by the wave followed"
                                          : ", L1 empty for each work-group",
                                      device));
  }
  std::erase_if(bounds, [](const ProgramBound& bound) { return bound.cycles <= 0; });
  std::stable_sort(bounds.begin(), bounds.end(),
                   [](const ProgramBound& a, const ProgramBound& b) { return a.cycles > b.cycles; });
  return bounds;
}

void add_diagnostics(const KernelProfile& profile, const DeviceSpec& device, ImportedProgram& program) {
  add_bounds(profile, device, program);
  const auto [all, known] = known_bytes(profile);
  program.comments.push_back(
      fmt::format("{:.1f} % of the bytes that leave L1 have known addresses",
                  all == 0 ? 100.0 : 100 * static_cast<double>(known) / static_cast<double>(all)));
  constexpr std::size_t most = 200;
  std::size_t listed = 0;
  for (std::uint32_t i = 0; i < profile.log->accesses.size(); ++i) {
    const AccessCounts& counts = profile.log->accesses[i];
    const bool is_joined = profile.widths[i] == 0 && counts.low_bits != 0;
    if (counts.requests == 0 || is_joined || profile.kernel->instructions[i].traits.role == PtxRole::await) continue;
    if (++listed <= most) program.comments.push_back(access_text(profile, i));
  }
  add_partial_stores(profile, device, program);
  if (listed > most) program.comments.push_back(fmt::format("... and {} more accesses", listed - most));
  for (const std::string& note : profile.notes) program.comments.push_back(note);
  add_working_set(profile, device, program);
}

}  // namespace gdsim
