#pragma once

#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Returns a note if `in_flight`, of a kernel or of the device, decides how long the run takes: then the run is
/// repeated with all loads of a step requested together, and the note has both answers. Empty if that takes less than 5
/// % off, if no step moves more bytes than `in_flight`, or if the run has more than 200,000 work-groups.
std::vector<std::string> requests_notes(const Scenario& scenario, const RunRecord& record, const RunOptions& options);

}  // namespace gdsim
