#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <string>

namespace gdsim {

/// Shows every group of cores over time, such as a shader engine or a GPC, in a section that is closed at first: a row
/// for each, by level. Empty on a device without groups, or if their use over time is not known.
std::string core_group_figures(const RunView& view);

/// For the script: `[{name, contexts, time, resident}]`, in the order of RunView::core_groups; null for a group that is
/// not drawn. A group that changes too often has means over `binned` intervals.
std::string core_group_data(const RunView& view);

}  // namespace gdsim
