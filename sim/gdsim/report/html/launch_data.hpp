#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <string>

namespace gdsim {

/// The launches of a run as JSON for the script of its page, sorted by their begins. If they are too many, the longest,
/// the critical ones, and the longest of the others are kept. `busy` then has, for each lane and each of 512 equal
/// parts of the run, the share of the part in which a launch runs.
std::string launch_data(const RunView& view);

}  // namespace gdsim
