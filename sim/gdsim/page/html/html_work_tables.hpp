#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <string>

namespace gdsim {

/// Launches and copies by kernel: their number and their total time, sorted from the most time to the least.
std::string kernel_table(const RunView& view);
/// Shows by kernel how long work-groups take and how long their slots stay empty, and lists the ten work-groups that
/// take longest. Empty if the record lacks the starts and ends of work-groups.
std::string group_tables(const RunView& view);

}  // namespace gdsim
