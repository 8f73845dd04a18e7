#pragma once

#include <gdsim/import/ptx/prepared_kernel.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/unresolved_inputs.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gdsim {

/// Numbers of sectors, each with a number of its own: a hash table without an allocation for each entry.
class SectorTable {
 public:
  std::size_t size() const { return count_; }

  /// Takes out all sectors. The memory stays for those that follow.
  void clear() {
    std::fill(slots_.begin(), slots_.end(), Slot{});
    count_ = 0;
  }

  /// The sector's number, which is `value` if the sector is new; `is_new` says whether it is.
  std::uint32_t& put(std::uint64_t sector, std::uint32_t value, bool& is_new) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    std::size_t at = place_of(sector);
    while (slots_[at].key != 0 && slots_[at].key != sector + 1) at = next(at);
    is_new = slots_[at].key == 0;
    if (is_new) {
      slots_[at] = {sector + 1, value};
      ++count_;
    }
    return slots_[at].value;
  }

  /// Calls `use` with each sector, in any order.
  template <class Use>
  void for_each(Use&& use) const {
    for (const Slot& slot : slots_)
      if (slot.key != 0) use(slot.key - 1);
  }

  /// Takes out a sector that is there. Sectors behind it that it has displaced move up.
  void take_out(std::uint64_t sector) {
    std::size_t gap = place_of(sector);
    while (slots_[gap].key != sector + 1) gap = next(gap);
    for (std::size_t at = next(gap); slots_[at].key != 0; at = next(at)) {
      const std::size_t wanted = place_of(slots_[at].key - 1);
      const bool may_move = gap <= at ? (wanted <= gap || wanted > at) : (wanted <= gap && wanted > at);
      if (!may_move) continue;
      slots_[gap] = slots_[at];
      gap = at;
    }
    slots_[gap] = {};
    --count_;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;  ///< the sector, plus 1; 0: empty
    std::uint32_t value = 0;
  };

  std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }

  /// By Fibonacci hashing: neighbouring sectors go far apart.
  std::size_t place_of(std::uint64_t sector) const {
    return static_cast<std::size_t>((sector * 0x9E37'79B9'7F4A'7C15U) >> shift_);
  }

  void grow() {
    constexpr std::size_t fewest = 64;
    std::vector<Slot> before(slots_.empty() ? fewest : 2 * slots_.size());
    before.swap(slots_);
    shift_ = 64;
    for (std::size_t size = slots_.size(); size > 1; size /= 2) --shift_;
    for (const Slot& slot : before) {
      if (slot.key == 0) continue;
      std::size_t at = place_of(slot.key - 1);
      while (slots_[at].key != 0) at = next(at);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;  ///< a power of two of them, at most half of them used
  unsigned shift_ = 64;
  std::size_t count_ = 0;
};

/// The sectors that a cache holds, with replacement of the least recently used one.
class SectorCache {
 public:
  explicit SectorCache(std::size_t capacity) : capacity_(capacity) {}

  /// Holds nothing from now on.
  void clear() {
    entries_.clear();
    places_.clear();
    newest_ = oldest_ = kNone;
  }

  /// Holds the sector, unless there is no capacity. Returns true if it was held before.
  bool use(std::uint64_t sector) {
    if (capacity_ == 0) return false;
    const bool is_full = entries_.size() >= capacity_;
    bool is_new = false;
    const std::uint32_t at =
        places_.put(sector, is_full ? oldest_ : static_cast<std::uint32_t>(entries_.size()), is_new);
    if (is_new && is_full)
      places_.take_out(entries_[at].sector);
    else if (is_new)
      entries_.emplace_back();
    if (is_new ? is_full : at != newest_) take_out(at);
    entries_[at].sector = sector;
    if (is_new || at != newest_) put_first(at);
    return !is_new;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// A held sector, and its neighbours by last use.
  struct Entry {
    std::uint64_t sector = 0;
    std::uint32_t newer = kNone;
    std::uint32_t older = kNone;
  };

  void take_out(std::uint32_t at) {
    const Entry& entry = entries_[at];
    (entry.newer == kNone ? newest_ : entries_[entry.newer].older) = entry.older;
    (entry.older == kNone ? oldest_ : entries_[entry.older].newer) = entry.newer;
  }

  void put_first(std::uint32_t at) {
    entries_[at].newer = kNone;
    entries_[at].older = newest_;
    (newest_ == kNone ? oldest_ : entries_[newest_].newer) = at;
    newest_ = at;
  }

  std::size_t capacity_;
  std::vector<Entry> entries_;
  std::uint32_t newest_ = kNone;
  std::uint32_t oldest_ = kNone;
  SectorTable places_;  ///< by sector: its entry
};

/// Totals of the requests of one instruction, over all warps that executed it.
struct AccessCounts {
  std::uint64_t requests = 0;            ///< of warps
  std::uint64_t lanes = 0;               ///< work-items that took part
  std::uint64_t sectors = 0;             ///< of 32 bytes, in global memory
  std::uint64_t lines = 0;               ///< of 128 bytes
  std::uint64_t bank_cycles = 0;         ///< of shared memory
  std::uint64_t missed = 0;              ///< sectors that L1 did not hold; of stores all
  std::uint64_t gathered = 0;            ///< of `sectors`: those that `--gather` gives
  std::uint64_t whole = 0;               ///< of a store: sectors that it and its warp's others write completely
  std::uint64_t distinct_addresses = 0;  ///< of atomic accesses: the sum over requests
  std::uint32_t max_sectors = 0;
  std::uint64_t low_bits = 0;     ///< all addresses, or-ed: shows their alignment
  bool is_gathered = false;       ///< its addresses depend on data: `--gather` gives its sectors
  bool is_shared = false;         ///< its addresses are in shared memory
  bool is_local = false;          ///< its addresses are in local memory
  std::uint64_t outstanding = 0;  ///< of a wait: later copies that it need not wait for, the sum over requests
  std::uint32_t max_same = 0;     ///< of an atomic request: work-items at one address

  void add(const AccessCounts& other);
  /// Adds the difference of two counts of the same instruction, so many times.
  void add_difference(const AccessCounts& now, const AccessCounts& before, std::uint64_t times);
};

/// The counts that are sums over requests.
inline constexpr std::array kAccessSums{&AccessCounts::requests,    &AccessCounts::lanes,
                                        &AccessCounts::sectors,     &AccessCounts::lines,
                                        &AccessCounts::bank_cycles, &AccessCounts::missed,
                                        &AccessCounts::gathered,    &AccessCounts::whole,
                                        &AccessCounts::outstanding, &AccessCounts::distinct_addresses};

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
  void add_difference(const ExecutionCounts& now, const ExecutionCounts& before, std::uint64_t times);
};

/// Counts of the same warps in the iterations of a loop that execute a block, and in the others.
struct SplitCounts {
  ExecutionCounts with;
  ExecutionCounts without;
};

/// Splits the counts of a loop, entered `entries` times, by a block directly in it, not in a loop in it. Other blocks,
/// and loops in this one, that are executed as often as the block belong to the iterations with it, and those that are
/// executed as often as iterations are without it, to these. If both are as many, what no iteration can execute
/// together with the block belongs to those without it. All else belongs to each iteration alike, but copies to shared
/// memory to those in which their groups end.
SplitCounts split_iterations(const ExecutionCounts& counts, std::uint64_t entries, const PreparedKernel& kernel,
                             std::uint32_t loop, std::uint32_t block);

/// A loop in no other one, each of whose iterations does the same as the one before: what it adds to a register is
/// always the same, and only the branch that leaves it looks at what changes. So some iterations stand for all.
struct RegularLoop {
  struct Register {
    std::uint32_t index = 0;
    unsigned bits = 64;  ///< of its value
    bool grows = false;  ///< by the same amount in each iteration; else it keeps its value
  };
  std::uint32_t compare = 0;      ///< the instruction that decides whether it goes on
  std::vector<Register> written;  ///< the needed registers that it writes, without predicates
};

/// By loop; nothing: it is not regular. `slice` is that of the execution.
std::vector<std::optional<RegularLoop>> regular_loops(const PreparedKernel& kernel, const ExecutionSlice& slice);

/// By instruction, the width of its accesses if machine code joins several instructions; 0: joined to another one.
using AccessWidths = std::vector<std::uint32_t>;

/// Counts the executions of warps of work-groups.
class BlockLog : public ExecutionCounts {
 public:
  /// `l1_sectors` is the capacity of L1 for one work-group, `max_instructions` the maximum of instructions of all
  /// warps. Exceeding it, or the rest of the kernel's budget, throws InputError.
  BlockLog(const PreparedKernel& kernel, AccessWidths widths, std::size_t l1_sectors, std::uint64_t max_instructions,
           Followed followed = Followed::all);

  void on_block(std::uint32_t block);
  void on_iteration(std::uint32_t loop, bool is_first);
  void on_access(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active);
  /// Logs a request with unknown addresses, which touches `sectors` sectors.
  void on_gather(std::uint32_t instruction, std::uint32_t active, std::uint32_t sectors);
  /// Logs copies of so many bytes in all, whose addresses are not known.
  void on_bulk_copy(std::uint32_t instruction, std::uint32_t active, std::uint64_t bytes);
  /// Logs a wait for a barrier in shared memory, and the copies that it expects.
  void on_wait(std::uint32_t instruction, std::uint64_t barrier);
  void on_expectation(std::uint64_t barrier) { expected_[barrier] = ++expectations_; }
  /// Begins the next work-group, with an empty L1.
  void begin_group() {
    l1_.clear();
    expected_.clear();
    begun_.clear();
  }
  /// The following entries belong to this warp of a work-group.
  void begin_warp(std::size_t warp);

  const ExecutionSlice& slice() const { return slice_; }
  /// The regular loop of this number, if its iterations may be skipped.
  const RegularLoop* regular_loop(std::uint32_t loop) const {
    return keeps_warps && regular_[loop] ? &*regular_[loop] : nullptr;
  }
  /// The counts of the current warp, which are kept.
  const ExecutionCounts& counts_of_warp() const { return by_warp[warp_]; }
  /// Counts so many times more what the current warp has done since it had the counts `before`.
  void repeat_warp(const ExecutionCounts& before, std::uint64_t times);

  /// The kernel's budget, which is charged kStepsOfExecution for each instruction of a warp and each sector of its
  /// accesses.
  const std::shared_ptr<ReadBudget>& budget() const { return kernel_.budget; }
  static constexpr std::uint64_t kStepsOfExecution = 5;

  std::uint64_t instructions = 0;    ///< of warps; of skipped iterations too
  std::uint64_t gathered_loads = 0;  ///< sectors that loads with unknown addresses request
  /// Sectors that loads request from L2, or stores send there, if they are kept: their number, and each sector once. At
  /// most kMaxKept of each; later ones are not counted.
  struct KeptSectors {
    std::uint64_t count = 0;
    SectorTable distinct;

    void add(std::uint64_t sector) {
      if (distinct.size() >= kMaxKept) return;
      ++count;
      bool is_new = false;
      distinct.put(sector, 0, is_new);
    }
    double distinct_share() const {
      return count == 0 ? 1.0 : static_cast<double>(distinct.size()) / static_cast<double>(count);
    }
  };
  static constexpr std::size_t kMaxKept = 4'000'000;
  KeptSectors loaded_from_l2;
  KeptSectors stored;
  bool keeps_sectors = false;
  bool keeps_warps = false;              ///< and skips iterations of regular loops
  std::vector<ExecutionCounts> by_warp;  ///< of a work-group, if they are kept
  /// Work-items by instruction and address of atomic accesses, with sectors; at most kMaxKept addresses.
  std::map<std::uint32_t, std::unordered_map<std::uint64_t, std::uint64_t>> atomics;

 private:
  AccessCounts request_of(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active);
  void count_addresses(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active,
                       AccessCounts& counts);
  void count_sectors(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active,
                     AccessCounts& counts);
  std::uint32_t bank_cycles_of(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active);
  std::uint64_t written_whole(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active);
  void count_local(std::uint32_t instruction, const LaneValues& addresses, std::uint32_t active, AccessCounts& counts);
  void add(std::uint32_t instruction, const AccessCounts& counts);
  void charge(std::uint32_t block, std::uint64_t count);
  [[noreturn]] void refuse_to_go_on(std::uint32_t block, const std::string& why) const;

  const PreparedKernel& kernel_;
  AccessWidths widths_;
  std::size_t l1_sectors_;
  std::uint64_t max_instructions_;
  std::uint64_t executed_ = 0;  ///< without skipped iterations
  ExecutionSlice slice_;
  std::vector<std::optional<RegularLoop>> regular_;
  SectorCache l1_;
  std::size_t warp_ = 0;
  std::uint64_t expectations_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> expected_;  ///< by barrier: the number of its last expectation
  std::size_t kept_addresses_ = 0;
  /// Sectors that a warp has written in part: the bytes so far, a bit for each, and the stores that wrote them.
  struct BegunSector {
    std::uint32_t written = 0;
    std::vector<std::uint32_t> stores;
    std::uint64_t number = 0;  ///< in the order in which they began
  };
  /// Those of one warp: the last kMaxBegun that it began and has not completed.
  struct BegunSectors {
    std::unordered_map<std::uint64_t, BegunSector> by_sector;
    std::map<std::uint64_t, std::uint64_t> by_number;  ///< the sector

    /// The sector, which begins unless it has; the oldest one makes room for it.
    BegunSector& sector_at(std::uint64_t sector);
    void erase(std::uint64_t sector);
  };
  /// The last request of an instruction in shared memory.
  struct SharedRequest {
    LaneValues addresses;
    std::uint32_t active = 0;  ///< 0: there was none
    std::uint32_t cycles = 0;
  };
  std::unordered_map<std::uint32_t, SharedRequest> shared_requests_;  ///< by instruction
  static constexpr std::size_t kMaxBegun = 1'024;
  /// By warp. ASSUMED: a cache puts together what a warp writes of a sector, of as many sectors as BegunSectors holds.
  std::vector<BegunSectors> begun_;
  std::vector<std::uint64_t> sectors_;  // scratch
};

}  // namespace gdsim
