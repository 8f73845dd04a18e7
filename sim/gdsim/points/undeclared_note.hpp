#pragma once

#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Returns a note if kernels say nothing of a resource that they need, and that decides how long their launches take
/// beside others: no `registers` on a device that allocates them, or no `slm` although their steps access it. Then the
/// run is repeated with the least that they can take; the note has both answers. Empty if no launch takes 2 % more
/// time, or if the run has more than 200,000 work-groups.
std::vector<std::string> undeclared_notes(const Scenario& scenario, const RunRecord& record, const RunOptions& options);

}  // namespace gdsim
