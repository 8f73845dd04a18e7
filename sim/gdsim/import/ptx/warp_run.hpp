#pragma once

#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/group_translation.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>
#include <gdsim/import/ptx/prepared_kernel.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/unresolved_inputs.hpp>
#include <gdsim/import/warp_steps.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Skips iterations of a warp in a regular loop: kIterations are executed until L1 has its usual contents, and as many
/// more are counted; these stand for all that follow, but the last few, which are executed again. Sectors repeat within
/// so many iterations wherever neighbouring ones are a power of two of bytes apart.
class IterationSkip {
 public:
  static constexpr std::uint64_t kIterations = 32;

  /// At the head of the loop, before this iteration, counted from 1. Changes registers and the log if it skips any.
  /// Returns the number of skipped iterations.
  std::uint64_t at_head(const RegularLoop& loop, std::uint64_t iteration, const PreparedKernel& kernel,
                        const ExecutionSlice& slice, std::vector<LaneValues>& registers, BlockLog& log);

 private:
  std::vector<LaneValues> values_of(const RegularLoop& loop, const ExecutionSlice& slice,
                                    const std::vector<LaneValues>& registers) const;
  bool grows_evenly(const RegularLoop& loop, const std::vector<LaneValues>& now) const;

  std::vector<LaneValues> begin_;        ///< of the registers that the loop writes, when counting begins
  std::vector<LaneValues> middle_;       ///< after half of the counted iterations
  std::vector<ExecutionCounts> counts_;  ///< when counting begins; empty: nothing is counted
};

/// One warp, whose lanes execute together: those at the earliest instruction continue, the others wait for them. Values
/// loaded from memory are unknown. Executes the slice of its log, and skips iterations of regular loops, for which
/// those before stand.
class WarpRun {
 public:
  enum class State : std::uint8_t { ready, at_barrier, ended };

  /// Warp `warp` of work-groups; lanes beyond a work-group's end do nothing.
  WarpRun(const PreparedKernel& kernel, const PtxLaunch& launch, std::uint64_t warp, BlockLog& log,
          UnresolvedInputs& unresolved);

  /// Begins this work-group: no register is known. `translation` follows its execution, unless null.
  void begin(const std::array<std::uint64_t, 3>& group, GroupTranslation* translation);
  /// Executes one basic block. The warp must be ready.
  State run_block();

 private:
  const LaneValues& value_of(const ValueSource& source) const;
  const LaneValues& value_of_register(std::uint32_t reg) const { return registers_[slice_.slot[reg]]; }
  LaneValues negated_predicate(const ValueSource& source) const;
  void write(std::uint32_t destination, const LaneValues& value, std::uint32_t mask);
  void lose(std::uint32_t number, std::uint32_t active);
  void execute(std::uint32_t number, std::uint32_t active);
  void access(std::uint32_t number, std::uint32_t active);
  void access_at(std::uint32_t number, const LaneValues& addresses, std::uint32_t active);
  void log_access(std::uint32_t number, const LaneValues& addresses, std::uint32_t active);
  void access_tile(std::uint32_t number, const LaneValues& base, std::uint32_t active);
  std::optional<std::uint64_t> address_in(std::uint32_t number, std::uint32_t active) const;
  void await(std::uint32_t number, std::uint32_t active);
  void copy_bulk(std::uint32_t number, std::uint32_t active);
  bool have_memory(const PtxClass& traits, std::uint32_t bytes, const LaneValues& addresses,
                   std::uint32_t active) const;
  bool require_memory_at(std::uint32_t number, const LaneValues& addresses, std::uint32_t active);
  void leave_flow(std::uint32_t number, std::uint32_t active);
  void calculate(std::uint32_t number, std::uint32_t active);
  void evaluate_operation(std::uint32_t number, std::uint32_t active);
  LaneValues lane_result(const PreparedInstruction& instruction, std::uint32_t active, std::uint32_t number) const;
  LaneValues shuffled(const PreparedInstruction& instruction, std::uint32_t number) const;
  std::uint32_t guarded(std::uint32_t number, std::uint32_t active);
  std::uint32_t taken_lanes(std::uint32_t number, std::uint32_t active);
  void leave_block(std::uint32_t block, std::uint32_t active);
  void go_to(std::uint32_t block, std::uint32_t lanes);
  std::uint32_t earliest_lanes();
  void follow_loops(std::uint32_t block, std::uint32_t active);

  const PreparedKernel& kernel_;
  const PtxLaunch& launch_;
  BlockLog& log_;
  const ExecutionSlice& slice_;
  UnresolvedInputs& unresolved_;
  std::vector<LaneValues> registers_;  ///< by slot
  std::array<LaneValues, kSpecialRegisters.size()> special_;
  std::optional<std::uint32_t> common_block_ = 0;  ///< of all live lanes; nothing: block_ has that of each
  std::array<std::uint32_t, kLanes> block_{};      ///< by lane: its block
  std::array<LaneValues, 4> negated_;              // scratch
  LaneValues result_;                              // scratch
  std::uint32_t lanes_ = 0;                        ///< of the work-group
  std::uint32_t live_ = 0;                         ///< lanes that have not ended
  std::vector<std::uint32_t> inside_;              ///< entered loops, the innermost last
  std::vector<std::uint64_t> iteration_;           ///< by entered loop: its iteration, from 1
  IterationSkip skip_;
  GroupTranslation* translation_ = nullptr;
};

/// Classes of the warps of a work-group.
std::vector<WarpClass<ExecutionCounts>> warp_classes(const KernelProfile& profile);

/// The warps of a work-group that are executed.
enum class RunWarps : std::uint8_t { all, first_and_last };

/// Executes work-groups, one after the other: in each round, every warp executes one basic block; warps wait for each
/// other at barriers. The warps' memory serves all work-groups.
class GroupRun {
 public:
  GroupRun(const PreparedKernel& kernel, const PtxLaunch& launch, BlockLog& log, UnresolvedInputs& unresolved,
           RunWarps warps = RunWarps::all);

  /// Leaves out what follows `max_instructions` of all warps. `translation` follows the execution, unless null.
  void run(const std::array<std::uint64_t, 3>& group, std::uint64_t max_instructions = ~std::uint64_t{0},
           GroupTranslation* translation = nullptr);

 private:
  BlockLog& log_;
  std::vector<WarpRun> warps_;
  std::vector<std::uint64_t> numbers_;
};

/// Executes one work-group.
inline void run_group(const PreparedKernel& kernel, const PtxLaunch& launch, const std::array<std::uint64_t, 3>& group,
                      BlockLog& log, UnresolvedInputs& unresolved, RunWarps warps = RunWarps::all) {
  GroupRun(kernel, launch, log, unresolved, warps).run(group);
}

/// Which work-groups of a wave are executed.
enum class WaveExecution : std::uint8_t {
  all,            ///< tests compare with it
  representative  ///< only those for which no other one's execution stands; the counts are the same
};

/// Counts in the log, which has counted nothing, what `groups` consecutive work-groups from `first` on load from L2
/// within their first `max_instructions`. Returns how many were executed.
std::uint64_t follow_groups(const PreparedKernel& kernel, const PtxLaunch& launch, std::uint64_t first,
                            std::uint64_t groups, std::uint64_t max_instructions, WaveExecution execution,
                            BlockLog& log, UnresolvedInputs& unresolved);

}  // namespace gdsim
