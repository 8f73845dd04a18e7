#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/unresolved_inputs.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace gdsim {

/// What a step `atomic` says of an instruction: all lanes of a warp take part, and go evenly to so many addresses.
struct AtomicAddresses {
  std::uint64_t count = 0;  ///< in shared memory: of a request; in global memory: of the work-groups resident at once
  std::string origin;       ///< how that is known
  std::string reason;       ///< unless empty, no step can say what the instruction does
};

/// By instruction. `log`: of one work-group, executed whole. Of global memory, whole work-groups of a wave of
/// `resident` ones are executed, within kMaxAtomicInstructions: either all access the same addresses, or each its own;
/// what lies between is a reason.
std::map<std::uint32_t, AtomicAddresses> atomic_addresses(const PreparedKernel& kernel, const PtxLaunch& launch,
                                                          const BlockLog& log, std::uint64_t resident,
                                                          UnresolvedInputs& unresolved);

inline constexpr std::uint64_t kMaxAtomicInstructions = 20'000'000;  ///< of warps

}  // namespace gdsim
