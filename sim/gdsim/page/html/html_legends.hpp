#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/analysis/selected_launches.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Explains the shades and lines of the device and its cores that occur in this run. If there are too many steps to
/// draw, it also explains how they are summed up.
std::string thread_legend(const RunView& view);
/// The same for work-groups. Empty if they are not drawn.
std::string group_legend(const RunView& view);
std::string launch_legend(const RunView& view, const LaunchSelection& selection);
/// Explains the areas of the time-use figure.
std::string time_legend(const RunView& view);
/// Explains the bands of a repeated scenario.
std::string run_bands_legend();

/// Returns true if the use of time is known and either threads wait or launches wait for dispatch.
bool draws_time(const RunView& view);

/// The class of a sample, and what it means.
struct LegendEntry {
  std::string_view name;
  std::string words;
};
/// The areas of the time-use figure that occur, and copies.
std::vector<LegendEntry> time_legend_entries(const RunView& view);
/// The shades and lines of the device and its cores that occur in this run.
std::vector<LegendEntry> thread_legend_entries(const RunView& view);

/// Returns true if the device or the lane of a core has more steps than are drawn one by one.
bool is_binned(const RunView& view);

}  // namespace gdsim
