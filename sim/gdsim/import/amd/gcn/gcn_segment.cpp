#include <gdsim/import/amd/gcn/gcn_segment.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/import/ptx/program_segment.hpp>
#include <gdsim/program/written_sectors.hpp>
#include <gdsim/workload/program.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

/// Returns the items of `l1:`, one for each access of a thread.
std::vector<std::string> l1_items(const GcnSegment& segment, std::uint64_t per, const GcnProgram& program) {
  std::vector<std::string> items;
  for (const auto& [number, access] : segment.accesses) {
    const std::uint64_t lines = mean(access.lines, per);
    if (lines == 0) continue;
    const GcnInstruction& at = program.kernel->instructions[number];
    std::string item = fmt::format("source_line: {}, instruction: {}", at.line, printable(at.opcode));
    if (const std::uint64_t requests = mean_of_some(access.requests, per); requests > 1)
      item += fmt::format(", requests: {}", requests);
    item += fmt::format(", lines: {}", lines);
    if (const std::uint64_t coalesced = mean_of_some(access.coalesced, per); coalesced < lines)
      item += fmt::format(", coalesced: {}", coalesced);
    items.push_back(std::move(item));
  }
  return items;
}

/// Returns a number for each kind that is issued, as `fp32: 4`. Scalar instructions of a device without a rate for them
/// are left out.
std::vector<std::string> issued_kinds(const GcnSegment& segment, std::uint64_t per, const DeviceSpec& device) {
  std::vector<std::string> kinds;
  for (std::size_t i = 0; i < kGcnKinds.size(); ++i) {
    if (i == kGcnScalarKind && rate_of(device.arithmetic, kGcnKinds[i]) == nullptr) continue;
    if (const std::uint64_t count = mean(segment.issued[i], per))
      kinds.push_back(fmt::format("{}: {}", kGcnKinds[i], count));
  }
  for (const auto& [kind, multiply_adds] : segment.multiply_adds)
    if (const std::uint64_t count = mean(multiply_adds, per)) kinds.push_back(fmt::format("{}: {}", kind, count));
  return kinds;
}

void add_issue(const GcnSegment& segment, std::uint64_t per, const GcnProgram& program, const DeviceSpec& device,
               std::vector<std::string>& steps) {
  std::vector<std::string> kinds = issued_kinds(segment, per, device);
  const std::vector<std::string> items = device.l1 ? l1_items(segment, per, program) : std::vector<std::string>();
  if (kinds.empty() && items.empty()) return;
  if (kinds.empty()) kinds.emplace_back("int32: 1");
  const std::string remark = gcn_lines_text(segment);
  if (items.empty() || items.size() > kMaxL1Accesses) {
    std::uint64_t lines = 0;
    for (const auto& [number, access] : segment.accesses) lines += access.lines;
    if (!items.empty()) kinds.push_back(fmt::format("l1: {}", mean_of_some(lines, per)));
    steps.push_back(fmt::format("- issue: {{{}}}  # {}", fmt::join(kinds, ", "), remark));
    return;
  }
  steps.push_back("- issue:  # " + remark);
  for (const std::string& kind : kinds) steps.push_back("    " + kind);
  steps.emplace_back("    l1:");
  for (const std::string& item : items) steps.push_back("      - {" + item + "}");
}

/// Writes accesses with the stride that takes as many cycles of banks; else as many accesses as there are cycles, each
/// to one address.
void add_lds(const GcnSegment& segment, std::uint64_t per, const GcnProgram& program, const DeviceSpec& device,
             std::vector<std::string>& steps) {
  const std::uint64_t requests = mean_of_some(segment.lds.requests, per);
  const std::uint64_t cycles = mean_of_some(segment.lds.bank_cycles, per);
  if (cycles == 0 || !device.slm_access) return;
  const std::string remark =
      fmt::format("{}: {} accesses, {} cycles of LDS banks", gcn_lines_text(segment), requests, cycles);
  constexpr std::uint64_t max_stride = 32;
  for (std::uint64_t stride = 1; stride <= max_stride; ++stride)
    if (cycles_per_access(*device.slm_access, program.kernel->lanes, stride, segment.lds_bytes) * requests == cycles) {
      steps.push_back(fmt::format("- slm: {{accesses: {}, stride: {}, bytes: {}}}  # {}", requests, stride,
                                  segment.lds_bytes, remark));
      return;
    }
  steps.push_back(fmt::format("- slm: {{accesses: {}, stride: 0}}  # {}", cycles, remark));
}

}  // namespace

void GcnSegment::add(const GcnProgram& program, const GcnWaveCounts& counts, std::uint32_t instruction) {
  const GcnClass& of = program.classes[instruction];
  const GcnAccess& access = counts.accesses[instruction];
  const std::uint64_t executions = counts.executions[instruction];
  const std::uint32_t line = program.kernel->instructions[instruction].line;
  if (of.role == GcnRole::free || of.role == GcnRole::wait || of.role == GcnRole::end) return;
  if (first_line == 0) first_line = line;
  last_line = std::max(last_line, line);
  first_line = std::min(first_line, line);
  switch (of.role) {
    case GcnRole::vector: issued[of.kind] += executions * of.slots; return;
    case GcnRole::matrix: multiply_adds[of.matrix_kind] += executions * of.multiply_adds; return;
    case GcnRole::scalar:
    case GcnRole::scalar_load:
    case GcnRole::branch: issued[kGcnScalarKind] += executions; return;
    case GcnRole::store:
      if (!of.is_lds) {
        stored += access.missed;
        whole += access.whole;
      }
      break;
    case GcnRole::load:
    case GcnRole::exchange: break;
    default: return;
  }
  if (access.requests == 0) return;
  if (of.is_lds) {
    lds.add(access);
    lds_bytes = std::max(lds_bytes, of.bytes);
  } else {
    accesses.emplace_back(instruction, access);
  }
}

std::string gcn_lines_text(const GcnSegment& segment) {
  return segment.first_line == segment.last_line ? fmt::format("line {}", segment.first_line)
                                                 : fmt::format("lines {}-{}", segment.first_line, segment.last_line);
}

std::vector<std::string> gcn_steps_of(const GcnSegment& segment, std::uint64_t per, const GcnProgram& program,
                                      const DeviceSpec& device) {
  std::vector<std::string> steps;
  add_issue(segment, per, program, device, steps);
  add_lds(segment, per, program, device, steps);
  const std::uint64_t bytes = mean_of_some(segment.stored, per);
  if (bytes == 0) return steps;
  std::string written;
  if (counts_written_sectors(device)) {
    const std::uint64_t all = mean_of_some(segment.stored / kStoreSector, per);
    const std::uint64_t whole = std::min(all, mean(segment.whole, per));
    written = fmt::format(", written: {{whole: {}, partial: {}}}", whole, all - whole);
  }
  steps.push_back(fmt::format("- store: {{bytes: {} B{}}}  # {}: stores", bytes, written, gcn_lines_text(segment)));
  return steps;
}

}  // namespace gdsim
