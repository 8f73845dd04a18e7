#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/import/compiled_kernel.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace gdsim {

/// How a user wants kernels to be launched.
struct LaunchRequest {
  std::optional<std::uint64_t> block;  ///< work-items per work-group; nothing: kDefaultBlock, or what a kernel allows
  Bytes shared;                        ///< shared local memory that is given at launch
  bool device_reserves_slm = false;    ///< see reserves_shared_memory()
};

inline constexpr std::uint64_t kDefaultBlock = 256;

/// How one kernel is launched, and what a work-group of it needs.
struct LaunchPlan {
  std::uint64_t block = 0;
  std::uint64_t static_slm = 0;   ///< bytes
  std::uint64_t dynamic_slm = 0;  ///< bytes, beside those
  bool large_grf = false;
  std::string largest;  ///< what bounds the block, for people: `96, its launch bound`
};

/// The largest work-group of which the file says that it may be launched; nothing if it says none.
std::optional<std::uint64_t> largest_group(const CompiledKernel& kernel);

/// What the request means for this kernel. A block that the kernel was not compiled for, and what no model can express,
/// is added to the problems.
LaunchPlan plan_launch(const CompiledKernel& kernel, const LaunchRequest& request, Diagnostics& problems);

}  // namespace gdsim
