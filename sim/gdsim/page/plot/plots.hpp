#pragma once

#include <gdsim/analysis/levels.hpp>
#include <gdsim/analysis/run_view.hpp>
#include <gdsim/analysis/selected_launches.hpp>
#include <gdsim/analysis/time_series.hpp>
#include <gdsim/page/plot/plot_scale.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// A plot in its own units: kPlotWidth wide, `height` high, with rows of equal height.
struct RowPlot {
  std::string shapes;
  std::size_t rows = 0;
  std::uint64_t height = 0;
};

/// The shades of a heat map, empty included.
inline constexpr std::size_t kHeatShades = 10;

/// Occupancy of every core over time as a heat map. `h0` is empty, `h9` full; shades between are time-weighted means.
/// If there are very many cores, a row is the mean of `heat_cores_per_row` neighbors.
RowPlot heat_plot(const RunView& view);
std::size_t heat_cores_per_row(const RunView& view);
/// The number of columns of the map: intervals of time.
std::size_t heat_columns(const RunView& view);

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

/// The occupancy of all runs over time, as SVG in the units of both scales: a band from min to max, a band from 5 % to
/// 95 % of the runs, and a line for the median. `contexts` are those of the device.
std::string band_plot(const std::vector<BandRow>& rows, std::uint64_t contexts, const TimeScale& time,
                      const ThreadScale& threads);

/// A line at each change of the clock, as SVG in the units of both scales. Lines are as high as the whole axis, of
/// which only a part may be visible.
std::string clock_lines(std::span<const ClockMark> clocks, const TimeScale& time, const ThreadScale& threads);

/// Shows the activities and waits of resident threads as stacked areas, with executing at the bottom, as SVG in the
/// units of both scales. Copies in progress are a bar at the top, launches that wait for dispatch a bar below it.
std::string time_plot(const TimeSeries& series, const TimeScale& time, const ThreadScale& threads);

/// The maximum number of steps that are drawn exactly.
inline constexpr std::size_t kMaxSteps = 2'048;
/// The number of bins that replace more steps in a picture, about one for each pixel.
inline constexpr std::size_t kBinsDrawn = 720;
/// The same in one of several plots below each other.
inline constexpr std::size_t kBinsInLanes = 256;

/// The resolution of a plot.
struct PlotDetail {
  std::size_t max_steps = kMaxSteps;
  std::size_t bins = kBinsDrawn;
};

/// Threads over time as SVG in the units of both scales: resident threads, with stalled threads on top of running ones,
/// and the capacity as a line. Too many steps become bins, each with its min, its mean and its max.
std::string thread_plot(const ThreadLevels& levels, const TimeScale& time, const ThreadScale& threads,
                        PlotDetail detail = {});

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
