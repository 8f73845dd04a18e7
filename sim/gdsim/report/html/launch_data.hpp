#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <string>

namespace gdsim {

/// The launches of a run as JSON for the script of its page, by the order of their begins. Where they are too many, the
/// longest, critical ones, and the longest of the others are kept, and `busy` says for each lane which share of each of
/// 512 equal parts of the run some launch takes.
std::string launch_data(const RunView& view);

}  // namespace gdsim
