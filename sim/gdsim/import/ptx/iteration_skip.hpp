#pragma once

#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/regular_loops.hpp>

#include <cstdint>
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

}  // namespace gdsim
