#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/analysis/selected_launches.hpp>

#include <string>

namespace gdsim {

/// The run in a few numbers, as a list of terms.
std::string headline_list(const RunView& view);
/// Says that this is the first of several runs. Empty if it is the only one.
std::string repetitions_note(const RunView& view);
std::string phase_table(const RunView& view);
/// Shows where the contexts' time went.
std::string time_table(const RunView& view);
/// Shows what each resource allows. Empty if that is not known.
std::string limit_table(const RunView& view);
std::string launch_table(const RunView& view, const LaunchSelection& selection);

}  // namespace gdsim
