#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/analysis/selected_launches.hpp>
#include <gdsim/page/html/html_plot.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Up to this many cores are drawn as lanes, more as a heat map.
inline constexpr std::uint32_t kMaxCoreLanes = 8;

/// Labels of the time axis of the whole run.
std::vector<Tick> time_ticks(const RunView& view);
/// The device over time, with its phases named.
HtmlPlot device_plot(const RunView& view);
/// The occupancy of all runs of a repeated scenario, with its legend. Empty if there is only one run.
std::string run_bands_figure(const RunView& view);
/// Shows where the time of threads goes. Empty unless draws_time().
std::string time_figure(const RunView& view);
/// Every core over time, empty ones included: lanes, or a heat map.
std::string core_figures(const RunView& view);
/// Returns true if work-groups are few enough, and known well enough, to be drawn one by one.
bool draws_groups(const RunView& view);
/// Work-groups on their cores, launches as selected; a sentence says why if they are not drawn.
std::string group_figure(const RunView& view);
std::string launch_figure(const RunView& view, const LaunchSelection& selection);

}  // namespace gdsim
