#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <string>

namespace gdsim {

/// Launches and copies by kernel: how many, and what they took together; the most time first.
std::string kernel_table(const RunView& view);
/// How long work-groups take, by kernel, how long their places stay empty, and the ten that take longest. Nothing if
/// the record does not have their starts and ends.
std::string group_tables(const RunView& view);

}  // namespace gdsim
