#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/program/flat_program.hpp>
#include <gdsim/workload/program.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
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

/// The phases of a barrier are counted in 64 bits. Those of a thread are multiplied by iterations of loops.
inline constexpr std::uint64_t kMaxPhases = std::numeric_limits<std::int64_t>::max();

/// Returns the line of the path's first op with which a thread arrives at a barrier, or waits for it, more than
/// kMaxPhases times; nullopt if there is none.
std::optional<std::uint32_t> first_with_too_many_phases(const Path& path);

/// Returns what is wrong with the signals and flags of a program, with paths from `program` on: names whose signals
/// disagree on `initially`, and flags of the launch that no step signals.
Issues check_signals(const Program& program);

/// Returns why a load cannot serve so many work-groups.
std::string fault_of_multicast(std::uint64_t multicast, std::uint64_t cluster);

}  // namespace gdsim
