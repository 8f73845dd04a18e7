#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/unresolved_inputs.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace gdsim {

/// A step `atomic` for an instruction. The lanes of a step are all 32 of a warp, spread evenly over `count` addresses;
/// where fewer take part, or some addresses are accessed more often, there are so many addresses that the one accessed
/// most often is accessed as often.
struct AtomicAddresses {
  std::uint64_t count = 0;  ///< in shared memory: of a request; in global memory: of the work-groups resident at once
  std::string origin;       ///< how the count is known
  std::string reason;       ///< unless empty, why no step can describe the instruction
};

/// By instruction. `log` is that of one work-group, executed whole. For global memory, whole work-groups of a wave of
/// `resident` ones are executed, within kMaxAtomicInstructions.
std::map<std::uint32_t, AtomicAddresses> atomic_addresses(const PreparedKernel& kernel, const PtxLaunch& launch,
                                                          const BlockLog& log, std::uint64_t resident,
                                                          UnresolvedInputs& unresolved);

inline constexpr std::uint64_t kMaxAtomicInstructions = 4'000'000;  ///< of warps

}  // namespace gdsim
