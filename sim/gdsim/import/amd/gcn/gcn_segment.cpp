#include <gdsim/import/amd/gcn/gcn_profile.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/program/work_amounts.hpp>
#include <gdsim/workload/program.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

/// Returns the items of `l1:`, one for each access of a thread.
YamlValue l1_items(const GcnSegment& segment, std::uint64_t per, const GcnProgram& program) {
  YamlValue items;
  for (const auto& [number, access] : segment.accesses) {
    const std::uint64_t lines = mean_share(access.lines, per);
    if (lines == 0) continue;
    const GcnInstruction& at = program.kernel->instructions[number];
    YamlValue item = YamlValue::in_line();
    item.entry("source_line", at.line).entry("instruction", YamlValue::word(printable(at.opcode)));
    if (const std::uint64_t requests = mean_of_some(access.requests, per); requests > 1)
      item.entry("requests", requests);
    item.entry("lines", lines);
    if (const std::uint64_t coalesced = mean_of_some(access.coalesced, per); coalesced < lines)
      item.entry("coalesced", coalesced);
    items.item(std::move(item));
  }
  return items;
}

/// Adds a number for each kind that is issued. Scalar instructions of a device without a rate for them are left out.
void add_kinds(const GcnSegment& segment, std::uint64_t per, const DeviceSpec& device, YamlValue& kinds) {
  for (std::size_t i = 0; i < kGcnKinds.size(); ++i) {
    if (i == kGcnScalarKind && rate_of(device.arithmetic, kGcnKinds[i]) == nullptr) continue;
    if (const std::uint64_t count = mean_share(segment.issued[i], per)) kinds.entry(std::string(kGcnKinds[i]), count);
  }
  for (const auto& [kind, multiply_adds] : segment.multiply_adds)
    if (const std::uint64_t count = mean_share(multiply_adds, per)) kinds.entry(kind, count);
}

void add_issue(const GcnSegment& segment, std::uint64_t per, const GcnProgram& program, const DeviceSpec& device,
               YamlValue& steps) {
  YamlValue items = device.l1 ? l1_items(segment, per, program) : YamlValue();
  const bool lists_accesses = !items.is_empty() && items.size() <= kMaxL1Accesses;
  YamlValue kinds = lists_accesses ? YamlValue() : YamlValue::in_line();
  add_kinds(segment, per, device, kinds);
  if (kinds.is_empty() && items.is_empty()) return;
  if (kinds.is_empty()) kinds.entry("int32", 1U);
  if (lists_accesses) {
    kinds.entry("l1", std::move(items));
  } else if (!items.is_empty()) {
    std::uint64_t lines = 0;
    for (const auto& [number, access] : segment.accesses) lines += access.lines;
    kinds.entry("l1", mean_of_some(lines, per));
  }
  add_step(steps, "issue", std::move(kinds), lines_between(segment.first_line, segment.last_line));
}

/// Adds accesses with the stride that takes as many cycles of banks; else as many accesses as there are cycles, each to
/// one address.
void add_lds(const GcnSegment& segment, std::uint64_t per, const GcnProgram& program, const DeviceSpec& device,
             YamlValue& steps) {
  const std::uint64_t requests = mean_of_some(segment.lds.requests, per);
  const std::uint64_t cycles = mean_of_some(segment.lds.bank_cycles, per);
  if (cycles == 0 || !device.slm_access) return;
  YamlValue step = YamlValue::in_line();
  constexpr std::uint64_t max_stride = 32;
  for (std::uint64_t stride = 1; stride <= max_stride && step.is_empty(); ++stride)
    if (cycles_per_access(*device.slm_access, program.kernel->lanes, stride, segment.lds_bytes) * requests == cycles)
      step.entry("accesses", requests).entry("stride", stride).entry("bytes", segment.lds_bytes);
  if (step.is_empty()) step.entry("accesses", cycles).entry("stride", 0U);
  add_step(steps, "slm", std::move(step),
           fmt::format("{}: {} accesses, {} cycles of LDS banks", lines_between(segment.first_line, segment.last_line),
                       requests, cycles));
}

}  // namespace

void GcnSegment::add(const GcnProgram& program, const GcnWaveCounts& counts, std::uint32_t instruction) {
  const GcnClass& traits = program.classes[instruction];
  const GcnAccess& access = counts.accesses[instruction];
  const std::uint64_t executions = counts.executions[instruction];
  const std::uint32_t line = program.kernel->instructions[instruction].line;
  if (traits.role == GcnRole::free || traits.role == GcnRole::wait || traits.role == GcnRole::end) return;
  if (first_line == 0) first_line = line;
  last_line = std::max(last_line, line);
  first_line = std::min(first_line, line);
  switch (traits.role) {
    case GcnRole::vector: issued[traits.kind] += executions * traits.slots; return;
    case GcnRole::matrix: multiply_adds[traits.matrix_kind] += executions * traits.multiply_adds; return;
    case GcnRole::scalar:
    case GcnRole::scalar_load:
    case GcnRole::branch: issued[kGcnScalarKind] += executions; return;
    case GcnRole::store:
      if (!traits.is_lds) {
        stored += access.missed;
        whole += access.whole;
      }
      break;
    case GcnRole::load:
    case GcnRole::exchange: break;
    default: return;
  }
  if (access.requests == 0) return;
  if (traits.is_lds) {
    lds.add(access);
    lds_bytes = std::max(lds_bytes, traits.bytes);
  } else {
    accesses.emplace_back(instruction, access);
  }
}

void add_gcn_steps_of(const GcnSegment& segment, std::uint64_t per, const GcnProgram& program, const DeviceSpec& device,
                      YamlValue& steps) {
  add_issue(segment, per, program, device, steps);
  add_lds(segment, per, program, device, steps);
  const std::uint64_t bytes = mean_of_some(segment.stored, per);
  if (bytes == 0) return;
  YamlValue store = YamlValue::in_line().entry("bytes", YamlValue::bytes(bytes));
  if (counts_written_sectors(device)) {
    const std::uint64_t all = mean_of_some(segment.stored / kStoreSector, per);
    const std::uint64_t whole = std::min(all, mean_share(segment.whole, per));
    store.entry("written", YamlValue::in_line().entry("whole", whole).entry("partial", all - whole));
  }
  add_step(steps, "store", std::move(store), lines_between(segment.first_line, segment.last_line) + ": stores");
}

}  // namespace gdsim
