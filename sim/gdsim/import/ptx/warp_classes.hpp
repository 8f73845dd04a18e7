#pragma once

#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// Warps of a work-group that execute the same blocks equally often, and access memory equally often.
struct WarpClass {
  ExecutionCounts counts;            ///< of all of them together
  std::vector<std::uint32_t> warps;  ///< ascending
};

/// Classes in the order of their first warps.
std::vector<WarpClass> warp_classes(const KernelProfile& profile);

/// As `only: {threads: ...}` lists them: `0-3`, or `[0, 2-5]`.
std::string ranges_of(std::vector<std::uint32_t> warps);

}  // namespace gdsim
