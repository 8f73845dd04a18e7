#pragma once

#include <gdsim/analysis/launch_selection.hpp>
#include <gdsim/analysis/run_view.hpp>
#include <gdsim/report/plot/heat_plot.hpp>

#include <string_view>

namespace gdsim {

inline constexpr std::uint64_t kLaunchHeight = 24;
/// Stands with launches that could not have ended later without a later end of the run.
inline constexpr std::string_view kCriticalMark = "◆";

/// Up to so many lines lead from launches to those that waited for them: on the critical path, then by row.
inline constexpr std::size_t kMaxLaunchLines = 4'000;

struct LaunchPlot : RowPlot {
  bool has_path_row = false;       ///< the first row is the whole critical path, of which rows are missing
  std::size_t lines_left_out = 0;  ///< between launches that are shown
};

/// Launches as rows, those of the selection: `queue` while ready and not begun, `part` while work-groups are left to
/// dispatch, `busy` until the last has ended, a low `copy` while one is in progress, `open` behind what had not ended
/// when the run did; `edge` frames critical ones. `after` leads from the end of a launch to those that waited for it,
/// `critical` along the critical path.
LaunchPlot launch_plot(const RunView& view, const LaunchSelection& selection);

}  // namespace gdsim
