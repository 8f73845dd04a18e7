#include <gdsim/import/ptx/block_log.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/printable.hpp>
#include <gdsim/import/ptx/access_shape.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace gdsim {

BlockLog::BlockLog(const PreparedKernel& kernel, AccessWidths widths, std::size_t l1_sectors,
                   std::uint64_t max_instructions)
    : executions(kernel.flow.blocks.size()),
      accesses(kernel.instructions.size()),
      loops(kernel.flow.loops.size()),
      kernel_(kernel),
      widths_(std::move(widths)),
      l1_sectors_(l1_sectors),
      max_instructions_(max_instructions),
      l1_(l1_sectors) {}

void BlockLog::on_block(std::uint32_t block) {
  ++executions[block];
  instructions += kernel_.flow.blocks[block].end - kernel_.flow.blocks[block].begin;
  if (instructions > max_instructions_) refuse_to_go_on(block);
}

/// At the head of the loop that is being executed.
void BlockLog::refuse_to_go_on(std::uint32_t block) const {
  const FlowGraph& flow = kernel_.flow;
  if (flow.blocks[block].loop) block = flow.loops[*flow.blocks[block].loop].head;
  const PtxInstruction& at = kernel_.kernel->instructions[flow.blocks[block].begin];
  throw InputError(
      {Diagnostic{{},
                  fmt::format("{}: its warps execute more than {} instructions, and are not followed any further; give "
                              "smaller arguments (--arg), of which the steps have the trip counts as expressions",
                              printable(kernel_.kernel->symbol), max_instructions_),
                  kernel_.kernel->file,
                  at.line,
                  at.column,
                  {}}});
}

void BlockLog::on_iteration(std::uint32_t loop, bool is_first) {
  if (is_first) ++loops[loop].entries;
  ++loops[loop].iterations;
}

void BlockLog::on_gather(std::uint32_t instruction, std::uint32_t active, std::uint32_t sectors) {
  AccessCounts& counts = accesses[instruction];
  const PtxClass& traits = kernel_.instructions[instruction].traits;
  counts.is_gathered = true;
  counts.is_shared = traits.space == PtxSpace::shared;
  ++counts.requests;
  counts.lanes += static_cast<std::uint64_t>(std::popcount(active));
  counts.distinct_addresses += sectors;
  counts.max_sectors = std::max(counts.max_sectors, sectors);
  (counts.is_shared ? counts.bank_cycles : counts.sectors) += sectors;
  if (counts.is_shared) return;
  counts.lines += sectors;
  counts.missed += sectors;
}

void BlockLog::on_access(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active) {
  AccessCounts& counts = accesses[instruction];
  const PtxClass& traits = kernel_.instructions[instruction].traits;
  const bool is_load = traits.role == PtxRole::load;
  const auto first = static_cast<std::uint32_t>(std::countr_zero(active));
  counts.is_shared = traits.space == PtxSpace::shared ||
                     (traits.space == PtxSpace::generic && (addresses.bits[first] >> kPointerBits) == 0);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if (((active >> lane) & 1) != 0) counts.low_bits |= addresses.bits[lane];
  const std::uint32_t bytes = widths_[instruction];
  if (bytes == 0) return;
  ++counts.requests;
  counts.lanes += static_cast<std::uint64_t>(std::popcount(active));
  if (traits.role == PtxRole::atomic) {
    std::vector<std::uint64_t> all;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      if (((active >> lane) & 1) != 0) all.push_back(addresses.bits[lane]);
    std::sort(all.begin(), all.end());
    counts.distinct_addresses += static_cast<std::uint64_t>(std::unique(all.begin(), all.end()) - all.begin());
  }
  if (counts.is_shared) {
    const std::uint32_t cycles = bank_cycles(addresses, active, bytes, is_load);
    counts.bank_cycles += cycles;
    counts.max_sectors = std::max(counts.max_sectors, cycles);
    return;
  }
  sectors_of(addresses, active, bytes, sectors_);
  counts.sectors += sectors_.size();
  counts.lines += lines_of(sectors_);
  counts.max_sectors = std::max(counts.max_sectors, static_cast<std::uint32_t>(sectors_.size()));
  for (const std::uint64_t sector : sectors_) {
    if (is_load && !traits.skips_l1 && l1_.use(sector)) continue;
    ++counts.missed;
    if (keeps_sectors) (is_load ? loaded_from_l2 : stored).add(sector);
  }
}

}  // namespace gdsim
