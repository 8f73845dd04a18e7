#include <gdsim/import/ptx/block_log.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/workload/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace gdsim {

void AccessCounts::add(const AccessCounts& other) {
  for (const auto sum : kAccessSums) this->*sum += other.*sum;
  max_sectors = std::max(max_sectors, other.max_sectors);
  low_bits |= other.low_bits;
  is_gathered = is_gathered || other.is_gathered;
  is_shared = is_shared || other.is_shared;
  is_local = is_local || other.is_local;
  max_same = std::max(max_same, other.max_same);
}

void AccessCounts::add_difference(const AccessCounts& now, const AccessCounts& before, std::uint64_t times) {
  for (const auto sum : kAccessSums) this->*sum += times * (now.*sum - before.*sum);
}

void ExecutionCounts::add_difference(const ExecutionCounts& now, const ExecutionCounts& before, std::uint64_t times) {
  for (std::size_t i = 0; i < executions.size(); ++i)
    executions[i] += times * (now.executions[i] - before.executions[i]);
  for (std::size_t i = 0; i < accesses.size(); ++i)
    if (now.accesses[i].requests != before.accesses[i].requests || now.accesses[i].whole != before.accesses[i].whole)
      accesses[i].add_difference(now.accesses[i], before.accesses[i], times);
  for (std::size_t i = 0; i < loops.size(); ++i) {
    loops[i].entries += times * (now.loops[i].entries - before.loops[i].entries);
    loops[i].iterations += times * (now.loops[i].iterations - before.loops[i].iterations);
  }
}

void ExecutionCounts::add(const ExecutionCounts& other) {
  for (std::size_t i = 0; i < executions.size(); ++i) executions[i] += other.executions[i];
  for (std::size_t i = 0; i < accesses.size(); ++i) accesses[i].add(other.accesses[i]);
  for (std::size_t i = 0; i < loops.size(); ++i) {
    loops[i].entries += other.loops[i].entries;
    loops[i].iterations += other.loops[i].iterations;
  }
}

BlockLog::BlockLog(const PreparedKernel& kernel, AccessWidths widths, std::size_t l1_sectors,
                   std::uint64_t max_instructions, Followed followed)
    : ExecutionCounts(kernel),
      kernel_(kernel),
      widths_(std::move(widths)),
      l1_sectors_(l1_sectors),
      max_instructions_(max_instructions),
      slice_(slice_of(kernel, followed)),
      regular_(regular_loops(kernel, slice_)),
      l1_(l1_sectors) {}

void BlockLog::begin_warp(std::size_t warp) {
  warp_ = warp;
  while (keeps_warps && by_warp.size() <= warp) by_warp.emplace_back(kernel_);
}

void BlockLog::on_block(std::uint32_t block) {
  ++executions[block];
  if (warp_ < by_warp.size()) ++by_warp[warp_].executions[block];
  const std::uint64_t executed = kernel_.flow.blocks[block].end - kernel_.flow.blocks[block].begin;
  instructions += executed;
  executed_ += executed;
  if (executed_ > max_instructions_)
    refuse_to_go_on(block, fmt::format("its warps execute more than {} instructions", max_instructions_));
  charge(block, executed);
}

/// Charges the budget for instructions or sectors of this block.
void BlockLog::charge(std::uint32_t block, std::uint64_t count) {
  if (kernel_.budget->take(ReadCost::steps, kStepsOfExecution * count)) return;
  refuse_to_go_on(block, fmt::format("its work-groups, as launched and with other values of arguments, take more than "
                                     "{} steps together, {} for each instruction and each sector of a warp",
                                     kernel_.budget->limit(ReadCost::steps), kStepsOfExecution));
}

/// Throws InputError at the head of the loop that is being executed.
void BlockLog::refuse_to_go_on(std::uint32_t block, const std::string& why) const {
  const FlowGraph& flow = kernel_.flow;
  if (flow.blocks[block].loop) block = flow.loops[*flow.blocks[block].loop].head;
  const PtxInstruction& at = kernel_.kernel->instructions[flow.blocks[block].begin];
  throw InputError(
      {Diagnostic{{},
                  fmt::format("{}: {}, and are not followed any further; give smaller arguments (--arg), of which the "
                              "steps have the trip counts as expressions",
                              printable(kernel_.kernel->symbol), why),
                  kernel_.kernel->file,
                  at.line,
                  at.column,
                  {}}});
}

void BlockLog::on_iteration(std::uint32_t loop, bool is_first) {
  const auto count = [&](LoopCounts& counts) {
    if (is_first) ++counts.entries;
    ++counts.iterations;
  };
  count(loops[loop]);
  if (warp_ < by_warp.size()) count(by_warp[warp_].loops[loop]);
}

void BlockLog::add(std::uint32_t instruction, const AccessCounts& counts) {
  accesses[instruction].add(counts);
  if (warp_ < by_warp.size()) by_warp[warp_].accesses[instruction].add(counts);
}

void BlockLog::repeat_warp(const ExecutionCounts& before, std::uint64_t times) {
  ExecutionCounts& warp = by_warp[warp_];
  const ExecutionCounts now = warp;
  warp.add_difference(now, before, times);
  add_difference(now, before, times);
  for (std::size_t i = 0; i < executions.size(); ++i)
    instructions += times * (now.executions[i] - before.executions[i]) *
                    (kernel_.flow.blocks[i].end - kernel_.flow.blocks[i].begin);
}

void BlockLog::on_bulk_copy(std::uint32_t instruction, std::uint32_t active, std::uint64_t bytes) {
  AccessCounts counts;
  counts.requests = 1;
  counts.lanes = static_cast<std::uint64_t>(std::popcount(active));
  counts.sectors = counts.missed = (bytes + kSectorBytes - 1) / kSectorBytes;
  counts.lines = (bytes + kLineBytes - 1) / kLineBytes;
  counts.max_sectors = static_cast<std::uint32_t>(std::min<std::uint64_t>(counts.sectors, ~std::uint32_t{0}));
  add(instruction, counts);
}

/// Warps are not executed at their pace: at most all barriers but this one are ahead.
void BlockLog::on_wait(std::uint32_t instruction, std::uint64_t barrier) {
  AccessCounts counts;
  counts.requests = 1;
  if (const auto found = expected_.find(barrier); found != expected_.end())
    counts.outstanding = std::min<std::uint64_t>(expectations_ - found->second, expected_.size() - 1);
  add(instruction, counts);
}

void BlockLog::on_gather(std::uint32_t instruction, std::uint32_t active, std::uint32_t sectors) {
  AccessCounts counts;
  const PtxClass& traits = kernel_.instructions[instruction].traits;
  counts.is_gathered = true;
  counts.is_shared = traits.space == PtxSpace::shared;
  counts.requests = 1;
  counts.lanes = static_cast<std::uint64_t>(std::popcount(active));
  counts.distinct_addresses = sectors;
  counts.max_sectors = sectors;
  (counts.is_shared ? counts.bank_cycles : counts.sectors) = sectors;
  if (!counts.is_shared) counts.lines = counts.missed = counts.gathered = sectors;
  if (!counts.is_shared && traits.role == PtxRole::load) gathered_loads += sectors;
  add(instruction, counts);
}

void BlockLog::count_addresses(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active,
                               AccessCounts& counts) {
  std::map<std::uint64_t, std::uint32_t> items;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if (((active >> lane) & 1) != 0) ++items[addresses.bits[lane]];
  counts.distinct_addresses = items.size();
  for (const auto& [address, count] : items) {
    counts.max_same = std::max(counts.max_same, count);
    if (!keeps_sectors || kept_addresses_ >= kMaxKept) continue;
    const auto [at, is_new] = atomics[instruction].try_emplace(address, 0);
    at->second += count;
    if (is_new) ++kept_addresses_;
  }
}

AccessCounts BlockLog::request_of(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active) {
  AccessCounts counts;
  const PtxClass& traits = kernel_.instructions[instruction].traits;
  const std::uint64_t first = addresses.bits[static_cast<std::uint32_t>(std::countr_zero(active))];
  const bool is_generic = traits.space == PtxSpace::generic;
  counts.is_shared = traits.space == PtxSpace::shared || (is_generic && (first >> kPointerBits) == 0);
  counts.is_local = traits.space == PtxSpace::local || (is_generic && is_local_address(first));
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    counts.low_bits |= addresses.bits[lane] & active_bits(active, lane);
  return counts;
}

void BlockLog::on_access(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active) {
  const PtxClass& traits = kernel_.instructions[instruction].traits;
  AccessCounts counts = request_of(instruction, addresses, active);
  const std::uint32_t bytes = widths_[instruction];
  if (bytes == 0) return add(instruction, counts);
  counts.requests = 1;
  counts.lanes = static_cast<std::uint64_t>(std::popcount(active));
  if (traits.role == PtxRole::atomic) count_addresses(instruction, addresses, active, counts);
  if (counts.is_shared) {
    counts.bank_cycles = counts.max_sectors = bank_cycles_of(instruction, addresses, active);
  } else if (counts.is_local) {
    if (kernel_.keeps_local_in_registers) return;
    count_local(instruction, addresses, active, counts);
  } else {
    count_sectors(instruction, addresses, active, counts);
  }
  add(instruction, counts);
}

/// The banks of addresses that are all as many words further are used alike.
std::uint32_t BlockLog::bank_cycles_of(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active) {
  SharedRequest& last = shared_requests_[instruction];
  constexpr std::uint64_t word_bytes = 4;
  const std::uint64_t further = addresses.bits[0] - last.addresses.bits[0];
  std::uint64_t differences = (active ^ last.active) | further % word_bytes;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    differences |= addresses.bits[lane] - last.addresses.bits[lane] - further;
  if (differences == 0) return last.cycles;
  const bool is_load = kernel_.instructions[instruction].traits.role == PtxRole::load;
  last = {addresses, active, bank_cycles(addresses, active, widths_[instruction], is_load)};
  return last.cycles;
}

void BlockLog::count_sectors(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active,
                             AccessCounts& counts) {
  const PtxClass& traits = kernel_.instructions[instruction].traits;
  const bool reads = traits.role == PtxRole::load || traits.role == PtxRole::copy;
  sectors_of(addresses, active, widths_[instruction], sectors_);
  charge(kernel_.flow.block_at[instruction], sectors_.size());
  counts.sectors = sectors_.size();
  counts.lines = lines_of(sectors_);
  if (traits.role == PtxRole::store) counts.whole = written_whole(instruction, addresses, active);
  counts.max_sectors = static_cast<std::uint32_t>(sectors_.size());
  for (const std::uint64_t sector : sectors_) {
    if (reads && !traits.skips_l1 && l1_.use(sector)) continue;
    ++counts.missed;
    if (keeps_sectors) (reads ? loaded_from_l2 : stored).add(sector);
  }
}

BlockLog::BegunSector& BlockLog::BegunSectors::sector_at(std::uint64_t sector) {
  const auto [found, is_new] = by_sector.try_emplace(sector);
  if (is_new) {
    if (!by_number.empty()) found->second.number = by_number.rbegin()->first + 1;
    by_number.emplace(found->second.number, sector);
    if (by_sector.size() > kMaxBegun) erase(by_number.begin()->second);
  }
  return found->second;
}

void BlockLog::BegunSectors::erase(std::uint64_t sector) {
  const auto found = by_sector.find(sector);
  by_number.erase(found->second.number);
  by_sector.erase(found);
}

/// Returns the number of its sectors that a store writes completely, alone or with earlier ones of its warp. Of the
/// latter, the earlier stores' parts count as written completely, too.
std::uint64_t BlockLog::written_whole(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active) {
  if (begun_.size() <= warp_) begun_.resize(warp_ + 1);
  BegunSectors& begun = begun_[warp_];
  const std::vector<std::uint32_t> written = bytes_in_sectors(addresses, active, widths_[instruction], sectors_);
  std::uint64_t whole = 0;
  for (std::size_t i = 0; i < sectors_.size(); ++i) {
    constexpr std::uint32_t all = ~std::uint32_t{0};
    if (written[i] == all) {
      ++whole;
      continue;
    }
    BegunSector& sector = begun.sector_at(sectors_[i]);
    const bool adds_bytes = (written[i] & ~sector.written) != 0;
    sector.written |= written[i];
    if (sector.written != all) {
      if (adds_bytes) sector.stores.push_back(instruction);
      continue;
    }
    ++whole;
    AccessCounts completed;
    completed.whole = 1;
    for (const std::uint32_t store : sector.stores) add(store, completed);
    begun.erase(sectors_[i]);
  }
  return whole;
}

/// The words of a warp at one offset in local memory lie side by side. L1 holds what is written to it: only what it
/// does not hold is read from L2.
void BlockLog::count_local(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active,
                           AccessCounts& counts) {
  constexpr std::uint64_t word_bytes = 4;
  const bool reads = kernel_.instructions[instruction].traits.role == PtxRole::load;
  for (std::uint64_t word = 0; word < widths_[instruction]; word += word_bytes) {
    LaneValues places = addresses;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      places.bits[lane] = ((addresses.bits[lane] + word) / word_bytes * kLanes + lane) * word_bytes +
                          (std::uint64_t{warp_} << (kPointerBits - 8));
    sectors_of(places, active, word_bytes, sectors_);
    charge(kernel_.flow.block_at[instruction], sectors_.size());
    counts.sectors += sectors_.size();
    counts.lines += lines_of(sectors_);
    for (const std::uint64_t sector : sectors_)
      if (!l1_.use(sector) && (reads || l1_sectors_ == 0)) ++counts.missed;
  }
  counts.max_sectors = static_cast<std::uint32_t>(counts.sectors);
  if (!reads) counts.whole = counts.missed;
}

}  // namespace gdsim
