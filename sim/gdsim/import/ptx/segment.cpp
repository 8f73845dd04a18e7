#include <gdsim/import/ptx/segment.hpp>

#include <gdsim/import/ptx/access_shape.hpp>

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

/// A branch and a barrier are issued as an `int32` is: devices name no kind for them.
void PtxSegment::add(const KernelProfile& profile, std::uint32_t instruction, std::uint64_t executions) {
  const PtxClass& traits = profile.kernel->instructions[instruction].traits;
  const AccessCounts& counts = profile.log->accesses[instruction];
  if (executions == 0 || traits.role == PtxRole::free || traits.role == PtxRole::unsupported) return;
  const std::uint32_t line = profile.kernel->kernel->instructions[instruction].line;
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
      (traits.role == PtxRole::load ? loaded : stored) += counts.missed * kSectorBytes;
      return;
    case PtxRole::atomic:
      issued[kLoadStoreIndex] += counts.requests;
      (counts.is_shared ? shared_atomics : global_atomics) += counts.lanes;
      atomic_requests += counts.requests;
      atomic_addresses += counts.distinct_addresses;
      return;
    default: return;
  }
}

void PtxSegment::add(const PtxSegment& other) {
  for (std::size_t i = 0; i < issued.size(); ++i) issued[i] += other.issued[i];
  loaded += other.loaded;
  stored += other.stored;
  l1_cycles += other.l1_cycles;
  shared_atomics += other.shared_atomics;
  global_atomics += other.global_atomics;
  atomic_requests += other.atomic_requests;
  atomic_addresses += other.atomic_addresses;
  if (other.is_empty()) return;
  first_line = is_empty() ? other.first_line : std::min(first_line, other.first_line);
  last_line = std::max(last_line, other.last_line);
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
  const FlowGraph& flow = profile.kernel->flow;
  for (std::uint32_t block = 0; block < flow.blocks.size(); ++block)
    for (std::uint32_t i = flow.blocks[block].begin; i < flow.blocks[block].end; ++i)
      all.add(profile, i, profile.log->executions[block]);
  return all;
}

}  // namespace gdsim
