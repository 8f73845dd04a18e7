#pragma once

#include <gdsim/import/ptx/warp_run.hpp>

#include <cstdint>

namespace gdsim {

/// Which work-groups of a wave are executed.
enum class WaveExecution : std::uint8_t {
  all,
  representative  ///< only those for which no other one's execution stands; the counts are the same
};

/// Counts in the log, which has counted nothing, what `groups` consecutive work-groups from `first` on load from L2
/// within their first `max_instructions`. Returns how many were executed.
std::uint64_t follow_groups(const PreparedKernel& kernel, const PtxLaunch& launch, std::uint64_t first,
                            std::uint64_t groups, std::uint64_t max_instructions, WaveExecution execution,
                            BlockLog& log, UnresolvedInputs& unresolved);

}  // namespace gdsim
