#include <gdsim/import/ptx/issue_step.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/program/written_sectors.hpp>
#include <gdsim/workload/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace gdsim {
namespace {

using Lines = std::vector<std::string>;

/// The accesses of one thread, as items of a list.
Lines accesses_of(const PtxSegment& segment, std::uint64_t per, const KernelProfile& profile) {
  Lines items;
  std::uint64_t all = 0;
  std::uint64_t listed = 0;  // lines listed so far
  for (const SegmentAccess& access : segment.accesses) {
    all += access.lines;
    const std::uint64_t lines = mean(all, per) - listed;
    listed += lines;
    if (lines == 0) continue;  // too few threads do it to count for one thread
    const PtxInstruction& at = profile.kernel->kernel->instructions[access.instruction];
    std::string item = fmt::format("source_line: {}, instruction: {}", at.line, printable(at.opcode));
    if (const std::uint64_t requests = mean_of_some(access.requests, per); requests > 1)
      item += fmt::format(", requests: {}", requests);
    item += fmt::format(", lines: {}", lines);
    const std::uint64_t coalesced = mean_of_some(coalesced_lines(access, profile.widths[access.instruction]), per);
    if (coalesced < lines) item += fmt::format(", coalesced: {}", coalesced);
    if (const std::uint64_t excess = mean(excess_sectors(access, profile.widths[access.instruction]), per); excess > 0)
      item += fmt::format(", excess_sectors: {}", excess);
    if (access.sectors > 0) item += fmt::format(", sectors: {}", mean_of_some(access.sectors, per));
    items.push_back(std::move(item));
  }
  return items;
}

/// `fp32: 4` for each kind that the segment issues.
Lines kinds_of(const PtxSegment& segment, std::uint64_t per, const DeviceSpec& device) {
  Lines kinds;
  for (std::size_t i = 0; i < kIssueKinds.size(); ++i) {
    std::uint64_t issued = segment.issued[i];
    if (i == kLoadStoreIndex && !device.l1) issued = std::max(issued, pipe_load(segment.l1_cycles, device));
    if (const std::uint64_t count = mean(issued, per)) kinds.push_back(fmt::format("{}: {}", kIssueKinds[i], count));
  }
  for (const auto& [kind, multiply_adds] : segment.multiply_adds)
    if (const std::uint64_t count = mean(multiply_adds, per))
      kinds.push_back(fmt::format("{}: {}", tensor_kind_on(device, kind), count));
  return kinds;
}

}  // namespace

std::string tensor_kind_on(const DeviceSpec& device, const std::string& kind) {
  constexpr std::string_view half = "_fp16";  // accumulators of 16 bits: as those of 32, unless the device has a rate
  const bool is_half = kind.ends_with(half) && kind != "tensor_fp16";
  if (!is_half || rate_of(device.arithmetic, kind) != nullptr) return kind;
  return kind.substr(0, kind.size() - half.size());
}

std::vector<std::string> issue_step(const PtxSegment& segment, const StepPlace& place, const KernelProfile& profile,
                                    const DeviceSpec& device) {
  Lines kinds = kinds_of(segment, place.per, device);
  const std::uint64_t lines = mean(segment.l1_cycles, place.per);
  std::string remark = place.lines;
  if (lines > 0)
    remark += fmt::format(": {} accesses, {} lines of L1 and shared memory",
                          mean(segment.issued[kLoadStoreIndex], place.per), lines);
  const Lines accesses = device.l1 && lines > 0 ? accesses_of(segment, place.per, profile) : Lines();
  if (kinds.empty()) {
    if (accesses.empty()) return {};
    kinds.push_back(fmt::format("{}: 1", kLoadStoreKind));
  }
  if (accesses.size() > kMaxL1Accesses) kinds.push_back(fmt::format("l1: {}", lines));
  if (accesses.empty() || accesses.size() > kMaxL1Accesses) {
    std::string all;
    for (const std::string& kind : kinds) all += (all.empty() ? "" : ", ") + kind;
    return {fmt::format("- issue: {{{}}}  # {}", all, remark)};
  }
  Lines step{fmt::format("- issue:  # {}", remark)};
  for (const std::string& kind : kinds) step.push_back("    " + kind);
  step.emplace_back("    l1:");
  for (const std::string& access : accesses) step.push_back("      - {" + access + "}");
  return step;
}

std::string written_text(const PtxSegment& segment, std::uint64_t per, const DeviceSpec& device) {
  if (!counts_written_sectors(device)) return {};
  const std::uint64_t all = mean_of_some(segment.stored / kSectorBytes, per);
  const std::uint64_t whole = std::min(all, mean(segment.whole_sectors, per));
  if (whole == all) return fmt::format(", written: {{whole: {}}}", whole);
  if (whole == 0) return fmt::format(", written: {{partial: {}}}", all);
  return fmt::format(", written: {{whole: {}, partial: {}}}", whole, all - whole);
}

}  // namespace gdsim
