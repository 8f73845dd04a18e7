#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <string>

namespace gdsim {

/// The work-groups of a run as JSON for the script of its page: the number resident on every core over time, and the
/// single work-groups of all cores, or of as many cores as the page has room for. `changes` has their changes in a
/// small run, for its animation. `null` if the record lacks their starts and ends.
std::string group_data(const RunView& view);

}  // namespace gdsim
