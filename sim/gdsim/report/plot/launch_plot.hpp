#pragma once

#include <gdsim/report/plot/heat_plot.hpp>
#include <gdsim/report/run_view.hpp>

namespace gdsim {

/// More launches than this are not drawn.
inline constexpr std::size_t kMostLaunchesDrawn = 200;
inline constexpr std::uint64_t kLaunchHeight = 24;

/// The first launches as rows: `queue` while ready and not begun, `part` while work-groups are left to dispatch,
/// `busy` until the last has ended; `after` leads from the end of a launch to those that waited for it.
RowPlot launch_plot(const RunView& view);

}  // namespace gdsim
