#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/import/compiled_kernel.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace gdsim {

/// The user's request for launches of kernels.
struct LaunchRequest {
  std::optional<std::uint64_t> block;  ///< work-items per work-group; nullopt: kDefaultBlock, or what a kernel allows
  Bytes shared;                        ///< shared local memory that is given at launch
  bool device_reserves_slm = false;    ///< see reserves_shared_memory()
};

inline constexpr std::uint64_t kDefaultBlock = 256;

/// The launch of one kernel, and the needs of one of its work-groups.
struct LaunchPlan {
  std::uint64_t block = 0;
  std::uint64_t static_slm = 0;   ///< bytes
  std::uint64_t dynamic_slm = 0;  ///< bytes, in addition
  bool large_grf = false;
  std::string largest;  ///< the largest block and its reason, for people: `96, its launch bound`
};

/// Returns the largest work-group that the file says may be launched, or nullopt if it does not say.
std::optional<std::uint64_t> largest_group(const CompiledKernel& kernel);

/// Applies the request to this kernel. Adds a problem if the kernel was not compiled for this block, or if no model can
/// express the kernel.
LaunchPlan plan_launch(const CompiledKernel& kernel, const LaunchRequest& request, Diagnostics& problems);

}  // namespace gdsim
