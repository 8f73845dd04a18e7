#pragma once

#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Returns a note for each buffer name that launches of several devices use: each device has its own buffer of this
/// name. Empty for one device.
std::vector<std::string> notes_on_buffers(const Scenario& scenario);

/// Returns a note if `in_flight`, of a kernel or of the device, decides how long the run takes: then the run is
/// repeated with all loads of a step requested together, and the note has both answers. Empty if that takes less than 5
/// % off, if no step moves more bytes than `in_flight`, or if the run has more than 200,000 work-groups.
std::vector<std::string> requests_notes(const Scenario& scenario, const RunRecord& record, const RunOptions& options);

/// Returns a note if kernels say nothing of a resource that they need, and that decides how long their launches take
/// beside others: no `registers` on a device that allocates them, or no `slm` although their steps access it. Then the
/// run is repeated with the least that they can take; the note has both answers. Empty if no launch takes 2 % more
/// time, or if the run has more than 200,000 work-groups.
std::vector<std::string> undeclared_notes(const Scenario& scenario, const RunRecord& record, const RunOptions& options);

}  // namespace gdsim
