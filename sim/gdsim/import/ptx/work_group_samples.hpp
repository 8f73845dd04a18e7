#pragma once

#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/trips/trip_line.hpp>
#include <gdsim/import/ptx/unresolved_inputs.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gdsim {

/// Iterations of a loop as an expression of the work-group's place in the grid.
struct TripsByGroup {
  std::string name;     ///< `group`, `group_x`, ...
  TripExpression line;  ///< its argument means nothing
  std::int64_t at = 0;  ///< the value of the name for the busiest work-group
};

/// How the work-groups of a launch differ in control flow, as far as some of them show.
struct WorkGroupSamples {
  std::uint64_t busiest =
      0;  ///< the work-group that executes most, neither the first nor the last one if there are others
  std::map<std::uint32_t, TripsByGroup> trips;  ///< by loop: those that differ
  std::string note;                             ///< unless empty, how some differ
  std::string reason;  ///< unless empty, why no program stands for all: they differ, and not by trip counts alone
};

inline constexpr std::uint64_t kSampledGroups = 17;

/// Follows the control flow of the first and the last warp of kSampledGroups work-groups, evenly over the grid, the
/// first, the middle and the last one among them. Work-groups at the ends may do less: guards. If others differ by more
/// than 2 %, the trips of their loops must be expressions of their place.
WorkGroupSamples sample_groups(const PreparedKernel& kernel, const PtxLaunch& launch, UnresolvedInputs& unresolved,
                               std::uint64_t max_instructions);

}  // namespace gdsim
