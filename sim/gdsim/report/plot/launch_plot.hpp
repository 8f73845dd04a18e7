#pragma once

#include <gdsim/report/plot/heat_plot.hpp>
#include <gdsim/report/run_view.hpp>

#include <string_view>

namespace gdsim {

/// More launches than this are not drawn.
inline constexpr std::size_t kMaxLaunchesDrawn = 200;
inline constexpr std::uint64_t kLaunchHeight = 24;
/// Stands with launches that could not have ended later without a later end of the run.
inline constexpr std::string_view kCriticalMark = "◆";

/// The first launches as rows: `queue` while ready and not begun, `part` while work-groups are left to dispatch,
/// `busy` until the last has ended, a low `copy` while one is in progress, `open` behind what had not ended when the
/// run did; `edge` frames critical ones. `after` leads from the end of a launch to those that waited for it, `critical`
/// along the critical path.
RowPlot launch_plot(const RunView& view);

}  // namespace gdsim
