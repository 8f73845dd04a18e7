#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/analysis/selected_launches.hpp>
#include <gdsim/page/plot/heat_plot.hpp>

#include <string_view>

namespace gdsim {

inline constexpr std::uint64_t kLaunchHeight = 24;
/// Marks launches that could not have ended later without a later end of the run.
inline constexpr std::string_view kCriticalMark = "◆";

/// The maximum number of lines from launches to those that waited for them: first on the critical path, then by row.
inline constexpr std::size_t kMaxLaunchLines = 4'000;

struct LaunchPlot : RowPlot {
  bool has_path_row = false;       ///< the first row is the whole critical path, some of whose rows are missing
  std::size_t lines_left_out = 0;  ///< between launches that are shown
};

/// The selected launches as rows: `queue` while ready and not begun, `part` while work-groups are left to dispatch,
/// `busy` until the last has ended, a low `copy` while a copy is in progress, `open` after a launch that had not ended
/// with the run. `edge` frames critical launches. `after` lines lead from the end of a launch to those that waited for
/// it, `critical` lines along the critical path.
LaunchPlot launch_plot(const RunView& view, const LaunchSelection& selection);

}  // namespace gdsim
