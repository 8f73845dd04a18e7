#pragma once

#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/prepared_kernel.hpp>
#include <gdsim/import/ptx/unresolved_inputs.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

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

}  // namespace gdsim
