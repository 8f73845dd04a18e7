#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace gdsim {

/// Work-groups as bars on their cores. The height of a bar is proportional to its threads, so a partly placed
/// work-group is lower. `part` marks it; `wait` marks that its threads wait at a barrier, `some` that some of them do.
struct GroupPlot {
  std::string shapes;
  std::uint64_t height = 0;
  std::vector<std::size_t> lanes;  ///< by core: the maximum number of work-groups at once, at least 1
};

/// Needs group points. The title of each bar describes the life of its work-group.
GroupPlot group_plot(const RunView& view);

/// The height of one lane in units of the plot, and of the gap between cores.
inline constexpr std::uint64_t kLaneHeight = 20;
inline constexpr std::uint64_t kCoreGap = 6;

}  // namespace gdsim
