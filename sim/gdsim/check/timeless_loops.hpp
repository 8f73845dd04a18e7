#pragma once

#include <gdsim/program/flat_program.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// The ops of threads that take one path through a program, from flatten(), with `first_op` 0.
using Path = std::vector<PlannedOp>;

/// A loop that threads execute at one instant.
struct TimelessLoop {
  std::size_t path = 0;
  std::uint32_t line = 0;
  std::uint64_t iterations = 0;  ///< with those of the loops inside it; 2^64 - 1 means at least that number
};

/// The maximum of iterations at one instant: they have to be executed one by one.
inline constexpr std::uint64_t kMaxTimelessIterations = 65'536;

/// Returns true if some loop of the path contains no op that takes time by itself, and has too many iterations.
bool may_be_timeless(const Path& path);

/// Returns the first loop of the first path that takes no time and has more iterations than are allowed, or nullopt if
/// there is none. `paths` must be all paths of a work-group. A loop takes time if it has a step that takes time, or a
/// barrier with a cost, or one at which others arrive only after steps that take time.
std::optional<TimelessLoop> first_timeless_loop(std::span<const Path> paths, bool barriers_cost_time);

}  // namespace gdsim
