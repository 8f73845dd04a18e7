#pragma once

#include <gdsim/import/ptx/lane_values.hpp>
#include <gdsim/import/ptx/prepared_kernel.hpp>
#include <gdsim/import/ptx/sector_cache.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gdsim {

/// Totals of the requests of one instruction, over all warps that executed it.
struct AccessCounts {
  std::uint64_t requests = 0;            ///< of warps
  std::uint64_t lanes = 0;               ///< work-items that took part
  std::uint64_t sectors = 0;             ///< of 32 bytes, in global memory
  std::uint64_t lines = 0;               ///< of 128 bytes
  std::uint64_t bank_cycles = 0;         ///< of shared memory
  std::uint64_t missed = 0;              ///< sectors that L1 did not hold; of stores all
  std::uint64_t whole = 0;               ///< of a store: sectors that a request writes completely
  std::uint64_t distinct_addresses = 0;  ///< of atomic accesses: the sum over requests
  std::uint32_t max_sectors = 0;
  std::uint64_t low_bits = 0;       ///< all addresses, or-ed: shows their alignment
  bool is_gathered = false;         ///< its addresses depend on data: `--gather` gives its sectors
  bool is_shared = false;           ///< its addresses are in shared memory
  std::uint32_t max_addresses = 0;  ///< of an atomic request: number of different addresses
  std::uint32_t min_addresses = ~std::uint32_t{0};
  std::uint32_t max_same = 0;  ///< work-items of a request at one address

  void add(const AccessCounts& other);
};

struct LoopCounts {
  std::uint64_t entries = 0;
  std::uint64_t iterations = 0;
};

/// Counts of executed blocks and accesses.
struct ExecutionCounts {
  std::vector<std::uint64_t> executions;  ///< by block: of warps
  std::vector<AccessCounts> accesses;     ///< by instruction
  std::vector<LoopCounts> loops;

  explicit ExecutionCounts(const PreparedKernel& kernel)
      : executions(kernel.flow.blocks.size()), accesses(kernel.instructions.size()), loops(kernel.flow.loops.size()) {}
  void add(const ExecutionCounts& other);
};

/// By instruction, the width of its accesses if machine code joins several instructions; 0: joined to another one.
using AccessWidths = std::vector<std::uint32_t>;

/// Counts the executions of warps of work-groups.
class BlockLog : public ExecutionCounts {
 public:
  /// `l1_sectors` is the capacity of L1 for one work-group, `max_instructions` the maximum of instructions of all
  /// warps. Exceeding it, or the rest of the kernel's budget, throws InputError.
  BlockLog(const PreparedKernel& kernel, AccessWidths widths, std::size_t l1_sectors, std::uint64_t max_instructions);

  void on_block(std::uint32_t block);
  void on_iteration(std::uint32_t loop, bool is_first);
  void on_access(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active);
  /// Logs a request with unknown addresses, which touches `sectors` sectors.
  void on_gather(std::uint32_t instruction, std::uint32_t active, std::uint32_t sectors);
  /// Begins the next work-group, with an empty L1.
  void begin_group() { l1_ = SectorCache(l1_sectors_); }
  /// The following entries belong to this warp of a work-group.
  void begin_warp(std::size_t warp);

  /// The kernel's budget, which is charged kStepsOfExecution for each instruction of a warp and each sector of its
  /// accesses.
  const std::shared_ptr<ReadBudget>& budget() const { return kernel_.budget; }
  static constexpr std::uint64_t kStepsOfExecution = 5;

  std::uint64_t instructions = 0;
  /// Sectors that loads request from L2, or stores send there, if they are kept: their number, and each sector once. At
  /// most kMaxKept of each; later ones are not counted.
  struct KeptSectors {
    std::uint64_t count = 0;
    std::unordered_set<std::uint64_t> distinct;

    void add(std::uint64_t sector) {
      if (distinct.size() >= kMaxKept) return;
      ++count;
      distinct.insert(sector);
    }
    double distinct_share() const {
      return count == 0 ? 1.0 : static_cast<double>(distinct.size()) / static_cast<double>(count);
    }
  };
  static constexpr std::size_t kMaxKept = 4'000'000;
  KeptSectors loaded_from_l2;
  KeptSectors stored;
  bool keeps_sectors = false;
  bool keeps_warps = false;
  std::vector<ExecutionCounts> by_warp;  ///< of a work-group, if they are kept
  /// Work-items by instruction and address of atomic accesses, with sectors; at most kMaxKept addresses.
  std::map<std::uint32_t, std::unordered_map<std::uint64_t, std::uint64_t>> atomics;

 private:
  AccessCounts request_of(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active);
  void count_addresses(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active,
                       AccessCounts& counts);
  void add(std::uint32_t instruction, const AccessCounts& counts);
  void charge(std::uint32_t block, std::uint64_t count);
  [[noreturn]] void refuse_to_go_on(std::uint32_t block, const std::string& why) const;

  const PreparedKernel& kernel_;
  AccessWidths widths_;
  std::size_t l1_sectors_;
  std::uint64_t max_instructions_;
  SectorCache l1_;
  std::size_t warp_ = 0;
  std::size_t kept_addresses_ = 0;
  std::vector<std::uint64_t> sectors_;  // scratch
};

}  // namespace gdsim
