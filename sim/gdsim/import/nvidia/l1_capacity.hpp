#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gdsim {

/// Bytes that L1 and shared memory of a core have together, by compute capability (`cc-8.6`); nothing: not known here.
///
/// Source: CUDA C++ Programming Guide, compute capabilities: size of the unified data cache.
std::optional<std::uint64_t> unified_cache_of(std::string_view family);

}  // namespace gdsim
