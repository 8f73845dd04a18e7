#include <gdsim/import/ptx/program_segment.hpp>

#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/workload/program.hpp>

#include <algorithm>
#include <cmath>

namespace gdsim {
namespace {

constexpr std::size_t kInt32 = 3;

bool takes_time(const PreparedInstruction& instruction) {
  switch (instruction.traits.role) {
    case PtxRole::free:
    case PtxRole::unsupported:
    case PtxRole::commit:
    case PtxRole::await: return false;
    case PtxRole::arithmetic: return instruction.costs != KindCounts{};
    default: return true;
  }
}

}  // namespace

/// Branches and barriers are issued as `int32`: devices have no kind for them.
void PtxSegment::add(const PreparedKernel& kernel, const ExecutionCounts& of, std::uint32_t instruction) {
  const PtxClass& traits = kernel.instructions[instruction].traits;
  const AccessCounts& counts = of.accesses[instruction];
  const std::uint64_t executions = of.executions[kernel.flow.block_at[instruction]];
  if (executions == 0 || !takes_time(kernel.instructions[instruction])) return;
  const std::uint32_t line = kernel.kernel->instructions[instruction].line;
  if (first_line == 0 || line < first_line) first_line = line;
  last_line = std::max(last_line, line);
  switch (traits.role) {
    case PtxRole::arithmetic:
      for (std::size_t i = 0; i < issued.size(); ++i)
        issued[i] += executions * kernel.instructions[instruction].costs[i];
      return;
    case PtxRole::matrix: {
      const MatrixWork& work = kernel.instructions[instruction].matrix;
      if (!work.kind.empty()) multiply_adds[work.kind] += executions * work.multiply_adds;
      return;
    }
    case PtxRole::branch:
    case PtxRole::arrive:
    case PtxRole::barrier: issued[kInt32] += executions; return;
    case PtxRole::load:
    case PtxRole::store:
    case PtxRole::copy: add_access(traits, instruction, counts); return;
    case PtxRole::atomic:
      issued[kLoadStoreIndex] += counts.requests;
      if (counts.requests > 0) atomics.push_back(instruction);
      return;
    default: return;
  }
}

/// A copy also writes its bytes to shared memory: ASSUMED without conflicts of banks.
void PtxSegment::add_access(const PtxClass& traits, std::uint32_t instruction, const AccessCounts& counts) {
  const bool is_copy = traits.role == PtxRole::copy;
  const std::uint64_t fixed = is_copy ? counts.lines * (traits.is_bulk ? 2 : 1) : 0;
  const std::uint64_t lines = counts.lines + counts.bank_cycles + (is_copy ? counts.lines : 0);
  issued[kLoadStoreIndex] += counts.requests;
  l1_cycles += lines;
  if (counts.requests > 0)
    accesses.push_back({instruction, counts.requests, counts.lanes, lines, counts.sectors, counts.missed, fixed});
  whole_sectors += counts.whole;
  std::uint64_t& bytes = is_copy ? copied : traits.role == PtxRole::load ? loaded : stored;
  bytes += counts.missed * kSectorBytes;
}

std::uint64_t coalesced_lines(const SegmentAccess& access, std::uint32_t bytes) {
  const std::uint64_t all = access.lanes * bytes;
  const std::uint64_t per_line = access.requests * kLineBytes;
  const std::uint64_t needed = access.requests * std::max<std::uint64_t>(1, (all + per_line - 1) / per_line);
  return std::min(access.lines, needed + access.fixed_lines);
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
