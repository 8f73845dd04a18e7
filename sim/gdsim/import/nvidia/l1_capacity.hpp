#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gdsim {

/// Bytes that L1 and shared memory of a core have together, by compute capability (`cc-8.6`); nothing: not known here.
///
/// Source: CUDA Programming Guide, table `Shared Memory Capacity per Compute Capability` (7.5 on); 7.0: NVIDIA A100
/// white paper, 128 KB on V100.
std::optional<std::uint64_t> unified_cache_of(std::string_view family);

}  // namespace gdsim
