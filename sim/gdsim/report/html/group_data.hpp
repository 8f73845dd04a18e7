#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <string>

namespace gdsim {

/// The work-groups of a run as JSON for the script of its page: how many are resident on every core over time, and
/// single ones of all cores, or of as many cores as the page has room for. `changes` is what happened to them in a
/// small run, for its animation. `null` if the record does not have their starts and ends.
std::string group_data(const RunView& view);

}  // namespace gdsim
