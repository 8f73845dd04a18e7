#pragma once

#include <gdsim/check/timeless_loops.hpp>

#include <cstdint>
#include <limits>
#include <optional>

namespace gdsim {

/// The phases of a barrier are counted in 64 bits. Those of a thread are multiplied by iterations of loops.
inline constexpr std::uint64_t kMaxPhases = std::numeric_limits<std::int64_t>::max();

/// Returns the line of the path's first op with which a thread arrives at a barrier, or waits for it, more than
/// kMaxPhases times; nullopt if there is none.
std::optional<std::uint32_t> first_with_too_many_phases(const Path& path);

}  // namespace gdsim
