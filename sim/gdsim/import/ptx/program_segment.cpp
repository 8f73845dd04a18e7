#include <gdsim/import/ptx/program_segment.hpp>

#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/workload/program.hpp>

#include <algorithm>
#include <cmath>

namespace gdsim {
namespace {

constexpr std::size_t kInt32 = 3;

std::size_t index_of_kind(std::string_view kind) {
  const auto* const found = std::find(kIssueKinds.begin(), kIssueKinds.end(), kind);
  return static_cast<std::size_t>(found - kIssueKinds.begin());
}

}  // namespace

/// Branches and barriers are issued as `int32`: devices have no kind for them.
void PtxSegment::add(const PreparedKernel& kernel, const ExecutionCounts& of, std::uint32_t instruction) {
  const PtxClass& traits = kernel.instructions[instruction].traits;
  const AccessCounts& counts = of.accesses[instruction];
  const std::uint64_t executions = of.executions[kernel.flow.block_at[instruction]];
  if (executions == 0 || traits.role == PtxRole::free || traits.role == PtxRole::unsupported) return;
  const std::uint32_t line = kernel.kernel->instructions[instruction].line;
  if (first_line == 0 || line < first_line) first_line = line;
  last_line = std::max(last_line, line);
  switch (traits.role) {
    case PtxRole::arithmetic: issued[index_of_kind(traits.kind)] += executions * traits.copies; return;
    case PtxRole::branch:
    case PtxRole::barrier: issued[kInt32] += executions; return;
    case PtxRole::load:
    case PtxRole::store:
      issued[kLoadStoreIndex] += counts.requests;
      l1_cycles += counts.lines + counts.bank_cycles;
      if (counts.requests > 0)
        accesses.push_back({instruction, counts.requests, counts.lanes, counts.lines + counts.bank_cycles,
                            counts.sectors, counts.missed});
      whole_sectors += counts.whole;
      (traits.role == PtxRole::load ? loaded : stored) += counts.missed * kSectorBytes;
      return;
    case PtxRole::atomic:
      issued[kLoadStoreIndex] += counts.requests;
      if (counts.requests > 0) atomics.push_back(instruction);
      return;
    default: return;
  }
}

std::uint64_t coalesced_lines(const SegmentAccess& access, std::uint32_t bytes) {
  const std::uint64_t all = access.lanes * bytes;
  const std::uint64_t per_line = access.requests * kLineBytes;
  return std::min(access.lines, access.requests * std::max<std::uint64_t>(1, (all + per_line - 1) / per_line));
}

std::uint64_t excess_sectors(const SegmentAccess& access, std::uint32_t bytes) {
  const std::uint64_t per_sector = access.requests * kSectorBytes;
  const std::uint64_t needed = access.requests * ((access.lanes * bytes + per_sector - 1) / per_sector);
  return access.missed - std::min(access.missed, needed);
}

std::uint64_t pipe_load(std::uint64_t l1_cycles, const DeviceSpec& device) {
  for (const ArithmeticRate& rate : device.arithmetic)
    if (rate.kind == kLoadStoreKind)
      return static_cast<std::uint64_t>(
          std::llround(static_cast<double>(l1_cycles) * device.engines_per_core * approximate(rate.per_cycle) / 32));
  return 0;
}

PtxSegment whole_of(const KernelProfile& profile) {
  PtxSegment all;
  for (std::uint32_t i = 0; i < profile.kernel->instructions.size(); ++i) all.add(*profile.kernel, *profile.log, i);
  return all;
}

}  // namespace gdsim
