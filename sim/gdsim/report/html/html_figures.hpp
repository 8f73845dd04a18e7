#pragma once

#include <gdsim/analysis/launch_selection.hpp>
#include <gdsim/analysis/run_view.hpp>
#include <gdsim/report/html/html_plot.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Up to this many cores have a lane each; more of them make a heat map.
inline constexpr std::uint32_t kMaxCoreLanes = 8;

/// Labels of the axis of time of the whole run.
std::vector<Tick> time_ticks(const RunView& view);
/// The device over time, its phases named.
HtmlPlot device_plot(const RunView& view);
/// The occupancy of all runs of a scenario that is repeated, with its legend; nothing of one run.
std::string run_bands_figure(const RunView& view);
/// Where the time of threads goes; nothing if it is not known, or if all of them execute all the time.
std::string time_figure(const RunView& view);
/// Every core over time: lanes, or a heat map. Empty ones included.
std::string core_figures(const RunView& view);
/// Work-groups are few and known well enough to be drawn one by one.
bool draws_groups(const RunView& view);
/// Work-groups on their cores, launches as selected; in words where they are not drawn.
std::string group_figure(const RunView& view);
std::string launch_figure(const RunView& view, const LaunchSelection& selection);

}  // namespace gdsim
