#pragma once

#include <gdsim/analysis/launch_selection.hpp>
#include <gdsim/analysis/run_view.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// What the shades and lines of the device and its cores mean, as far as they occur in this run; where there are too
/// many steps to draw, also that and how they are summed up.
std::string thread_legend(const RunView& view);
/// The same of work-groups; nothing if they are not drawn.
std::string group_legend(const RunView& view);
std::string launch_legend(const RunView& view, const LaunchSelection& selection);
/// What the areas of where the time goes mean.
std::string time_legend(const RunView& view);
/// Of the bands of a scenario that is repeated.
std::string run_bands_legend();

/// It is known where the time goes, and not all of it is executing, or launches wait for dispatch.
bool draws_time(const RunView& view);

/// A sign, by its class, and what it means.
struct LegendEntry {
  std::string_view name;
  std::string words;
};
/// The areas of where the time goes that occur, and copies.
std::vector<LegendEntry> time_legend_entries(const RunView& view);
/// Those of the device and its cores that occur in this run.
std::vector<LegendEntry> thread_legend_entries(const RunView& view);

/// The device or a lane of a core has more steps than are drawn one by one.
bool is_binned(const RunView& view);

}  // namespace gdsim
