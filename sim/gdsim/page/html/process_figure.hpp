#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <string>

namespace gdsim {

/// Shows which process used the device when, in one row for each: `busy` while it ran, `part` while it was drained,
/// `wait` while its contexts were saved or restored. Empty without preemption, or if the run took no time.
std::string process_figure(const RunView& view);

}  // namespace gdsim
