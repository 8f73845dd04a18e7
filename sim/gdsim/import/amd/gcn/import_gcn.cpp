#include <gdsim/import/amd/gcn/import_gcn.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/import/amd/gcn/gcn_profile.hpp>
#include <gdsim/import/amd/gcn/gcn_wave.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace gdsim {
namespace {

/// The vector L1 cache of a CU.
///
/// Source: caps-tum/mt4g@4cc55662 sample_results: MI100 and MI210 have 16 KiB in lines of 64 B, an MI300X 32 KiB in
/// lines of 128 B. ASSUMED of gfx9 before, and of gfx950 and gfx10 on: as the nearest of these; gfx10 has lines of
/// 128 B and 16 KiB.
GcnCaches caches_of(const GcnKernel& kernel, const ProgramPlace& place, std::uint64_t groups) {
  const std::string_view target = kernel.target;
  const bool is_third = target.starts_with("gfx94") || target.starts_with("gfx95");
  const bool is_rdna = target.starts_with("gfx1");
  const bool is_large = is_third || (is_rdna && !target.starts_with("gfx10"));
  GcnCaches caches;
  caches.line = is_third || is_rdna ? 128 : 64;
  const std::uint64_t bytes = is_large ? 32'768 : 16'384;
  const std::uint64_t cores = std::max<std::uint64_t>(1, place.device->cores);
  const std::uint64_t sharing = std::min(place.groups_per_core, (groups + cores - 1) / cores);
  caches.lines = bytes / caches.line / std::max<std::uint64_t>(1, sharing);
  if (place.device->slm_access) caches.banks = *place.device->slm_access;
  return caches;
}

/// The lines of executed instructions for which `is_meant` holds, as in `lines 10, 11`; empty: none.
template <class IsMeant>
std::string executed_lines(const GcnProgram& program, const GcnWaveCounts& all, IsMeant is_meant) {
  constexpr std::size_t max_listed = 8;
  std::set<std::uint32_t> lines;
  for (std::uint32_t i = 0; i < program.classes.size(); ++i)
    if (all.executions[i] > 0 && is_meant(i)) lines.insert(program.kernel->instructions[i].line);
  if (lines.empty()) return {};
  std::string text = lines.size() == 1 ? "line " : "lines ";
  std::size_t listed = 0;
  for (const std::uint32_t line : lines)
    if (++listed <= max_listed) text += fmt::format("{}{}", listed == 1 ? "" : ", ", line);
  return lines.size() > max_listed ? fmt::format("{} and {} more", text, lines.size() - max_listed) : text;
}

/// One call of import_gcn_program(), after the kernel was executed.
class GcnDiagnostics {
 public:
  GcnDiagnostics(const GcnProfile& profile, const GcnCaches& caches, const DeviceSpec& device, bool is_warm,
                 ImportedProgram& program)
      : profile_(profile),
        code_(profile.program),
        caches_(caches),
        device_(device),
        is_warm_(is_warm),
        program_(program),
        all_(profile.total()) {
    for (std::uint32_t i = 0; i < code_.classes.size(); ++i)
      if (all_.executions[i] > 0) segment_.add(code_, all_, i);
  }

  void add() {
    add_missing();
    add_assumed();
    add_bounds();
    add_accesses();
    add_working_set();
    for (const std::string& note : profile_.notes) program_.comments.push_back(note);
  }

 private:
  void add_missing() {
    const auto require = [&](bool has, const std::string& what) {
      if (!has)
        program_.reasons.push_back(fmt::format("{} has no {}; --device names a model that has", device_.id, what));
    };
    require(device_.clock.has_value(), "clock");
    require(device_.memory.has_value(), "memory");
    require(segment_.lds.requests == 0 || device_.slm_access.has_value(), "slm_access");
    for (std::size_t i = 0; i < kGcnScalarKind; ++i)
      require(segment_.issued[i] == 0 || rate_of(device_.arithmetic, kGcnKinds[i]) != nullptr,
              fmt::format("rate of {} in arithmetic", kGcnKinds[i]));
    for (const auto& [kind, multiply_adds] : segment_.multiply_adds)
      require(rate_of(device_.arithmetic, kind) != nullptr, fmt::format("rate of {} in arithmetic", kind));
  }

  void add_assumed() {
    const auto assume = [&](const std::string& what, const std::string& lines) {
      if (!lines.empty()) program_.comments.push_back(fmt::format("ASSUMED: {}: {}", what, lines));
    };
    const auto role_of = [&](std::uint32_t i) { return code_.classes[i].role; };
    program_.comments.push_back(
        fmt::format("ASSUMED: L1 holds {} lines of {} B of each work-group", caches_.lines, caches_.line));
    if (rate_of(device_.arithmetic, kGcnKinds[kGcnScalarKind]) == nullptr)
      assume(fmt::format("scalar instructions cost nothing: {} has no rate of scalar in arithmetic", device_.id),
             executed_lines(code_, all_, [&](std::uint32_t i) { return role_of(i) == GcnRole::scalar; }));
    assume("scalar loads cost nothing: the scalar cache holds what they load",
           executed_lines(code_, all_, [&](std::uint32_t i) { return role_of(i) == GcnRole::scalar_load; }));
    if (!device_.l1)
      assume(fmt::format("requests of L1 cost nothing: {} has no `l1`", device_.id),
             executed_lines(code_, all_, [&](std::uint32_t i) { return all_.accesses[i].lines > 0; }));
    assume("arrays of work-items cost nothing, nor do spilled registers, but for `spill`",
           executed_lines(code_, all_, [&](std::uint32_t i) { return code_.classes[i].is_scratch; }));
  }

  /// Adds a bound of so many cycles. That of bytes is an estimate: L1 may hold what another work-group has loaded.
  void add_bound(const std::string& what, double cycles, bool is_estimate = false) {
    if (cycles <= 0 || !device_.clock) return;
    const double milliseconds = cycles / static_cast<double>(clock_range(device_).second.count) * 1e3;
    bounds_.emplace(-cycles, fmt::format("{} {:.4g} ms, {:.4g} cycles: {}",
                                         is_estimate ? "ASSUMED: about" : "not below", milliseconds, cycles, what));
  }

  void add_bounds() {
    const auto groups = static_cast<double>(profile_.groups);
    const double engines = static_cast<double>(device_.cores) * device_.engines_per_core;
    for (std::size_t i = 0; i < kGcnKinds.size(); ++i)
      if (const Decimal* rate = rate_of(device_.arithmetic, kGcnKinds[i]))
        add_bound(std::string(kGcnKinds[i]) + " instructions", static_cast<double>(segment_.issued[i]) * groups *
                                                                   code_.kernel->lanes / approximate(*rate) / engines);
    for (const auto& [kind, multiply_adds] : segment_.multiply_adds)
      if (const Decimal* rate = rate_of(device_.arithmetic, kind))
        add_bound(kind + " multiply-adds", static_cast<double>(multiply_adds) * groups / approximate(*rate) / engines);
    std::uint64_t lines = 0;
    for (const auto& [number, access] : segment_.accesses) lines += access.lines;
    if (device_.l1)
      add_bound("lines of L1",
                static_cast<double>(lines) * groups / device_.cores / approximate(device_.l1->lines_per_cycle));
    add_bound("banks of LDS", static_cast<double>(segment_.lds.bank_cycles) * groups / device_.cores);
    if (device_.memory && device_.clock)
      for (std::size_t i = 0; i < device_.memory->levels.size(); ++i) add_bound_of(i);
    for (const auto& [key, text] : bounds_) program_.comments.push_back(text);
  }

  void add_bound_of(std::size_t number) {
    const MemoryLevel& level = device_.memory->levels[number];
    if (!level.bandwidth || level.bandwidth->count == 0) return;
    const bool is_last = number + 1 == device_.memory->levels.size();
    const double bytes = (is_last ? last_level_bytes() : static_cast<double>(loaded() + segment_.stored)) *
                         static_cast<double>(profile_.groups);
    add_bound(
        level.name + ", L1 empty for each work-group",
        bytes / static_cast<double>(level.bandwidth->count) * static_cast<double>(clock_range(device_).second.count),
        true);
  }

  std::uint64_t loaded() const {
    std::uint64_t bytes = 0;
    for (std::uint32_t i = 0; i < code_.classes.size(); ++i)
      if (code_.classes[i].role == GcnRole::load) bytes += all_.accesses[i].missed;
    return bytes;
  }

  double last_level_bytes() const {
    return static_cast<double>(loaded()) * profile_.distinct_loads * cold_share() +
           static_cast<double>(segment_.stored) * profile_.distinct_stores;
  }

  /// The cache in front of the last level; null: there is none, or of unknown size.
  const MemoryLevel* last_cache() const {
    if (!device_.memory || device_.memory->levels.size() < 2) return nullptr;
    const MemoryLevel& cache = device_.memory->levels[device_.memory->levels.size() - 2];
    return cache.capacity ? &cache : nullptr;
  }

  /// The share of distinct lines that a warm cache does not hold: what the launch loads beyond its capacity.
  double cold_share() const {
    const MemoryLevel* const cache = last_cache();
    if (!is_warm_ || cache == nullptr || profile_.loaded_footprint <= 0) return 1;
    return std::max(0.0, 1 - static_cast<double>(cache->capacity->count) / profile_.loaded_footprint);
  }

  void add_accesses() {
    constexpr std::size_t most = 200;
    std::size_t listed = 0;
    for (std::uint32_t i = 0; i < code_.classes.size(); ++i) {
      const GcnAccess& access = all_.accesses[i];
      if (access.requests == 0 || ++listed > most) continue;
      const GcnInstruction& at = code_.kernel->instructions[i];
      const auto requests = static_cast<double>(access.requests);
      const std::string head = fmt::format("line {}: {}, {:.6g} requests per wave: ", at.line, printable(at.opcode),
                                           requests / static_cast<double>(profile_.waves));
      if (code_.classes[i].is_lds)
        program_.comments.push_back(head + fmt::format("{:.4g} cycles of banks per request",
                                                       static_cast<double>(access.bank_cycles) / requests));
      else
        program_.comments.push_back(
            head + fmt::format("{:.4g} lines of L1 per request, side by side {:.4g}; {:.6g} B beyond L1",
                               static_cast<double>(access.lines) / requests,
                               static_cast<double>(access.coalesced) / requests,
                               static_cast<double>(access.missed) / static_cast<double>(profile_.waves)));
    }
    if (listed > most) program_.comments.push_back(fmt::format("... and {} more accesses", listed - most));
  }

  /// Sized so that the last level but one, which holds capacity / working set, serves all lines that are not distinct.
  void add_working_set() {
    const auto all = static_cast<double>(loaded() + segment_.stored);
    const MemoryLevel* const cache = last_cache();
    if (cache == nullptr || all == 0) return;
    const double share = last_level_bytes() / all;
    constexpr double negligible = 0.005;
    if (1 - share < negligible) return;
    program_.shared_working_set = static_cast<std::uint64_t>(static_cast<double>(cache->capacity->count) / (1 - share));
    program_.working_set_reason = fmt::format(
        "so large that {} serves {:.1f} % of what leaves L1: so much of it {}", cache->name, 100 - 100 * share,
        is_warm_ ? "is there before the launch (--warm), or work-groups ask for together"
                 : fmt::format("{} work-groups ask for together", profile_.followed_groups));
  }

  const GcnProfile& profile_;
  const GcnProgram& code_;
  const GcnCaches& caches_;
  const DeviceSpec& device_;
  bool is_warm_;  ///< the cache before the last level holds what the launch loads, as far as it fits
  ImportedProgram& program_;
  GcnWaveCounts all_;
  GcnSegment segment_;  ///< of the whole work-group
  std::multimap<double, std::string> bounds_;
};

void check_gcn_target(const GcnKernel& kernel, const SourceText& source) {
  const std::string_view target = kernel.target;
  if (target.starts_with("gfx9") || target.starts_with("gfx10") || target.starts_with("gfx11")) return;
  Diagnostics problems;
  problems.add(
      {&source, kernel.line, kernel.column},
      fmt::format("{} is for {}; programs are made of assembly for gfx9, gfx10 and gfx11", printable(kernel.symbol),
                  target.empty() ? "a target that the file does not name" : printable(target)));
  problems.throw_if_any();
}

}  // namespace

ImportedProgram import_gcn_program(const GcnKernel& kernel, const PtxLaunch& launch, const ProgramPlace& place,
                                   const SourceText& source, std::uint64_t max_instructions) {
  ImportedProgram program;
  check_gcn_target(kernel, source);
  check_gcn_arguments(kernel, launch);
  add_launch(launch, program);
  const GcnCaches caches = caches_of(kernel, place, launch.groups());
  const std::uint64_t resident = std::max<std::uint64_t>(1, place.groups_per_core * place.device->cores);
  const GcnProfile profile = gcn_profile_of(kernel, launch, caches, resident, source, max_instructions);
  GcnDiagnostics(profile, caches, *place.device, launch.has_warm_l2, program).add();
  add_gcn_steps(profile, *place.device, program);
  return program;
}

}  // namespace gdsim
