#pragma once

#include <gdsim/record/run_record.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <optional>
#include <string>

namespace gdsim {

/// A caveat on a run that a change makes shorter while more threads are resident at once, if some of these threads
/// have declared durations, which do not grow with the number of threads that would share resources on hardware. It is
/// about kernels of which more threads fit because of the change, or about all where none of them changes in that
/// respect; never about kernels of collectives. Nothing: the run relies on no declared durations.
std::optional<std::string> declared_caveat(const Scenario& scenario, const RunRecord& record, const Scenario& changed,
                                           const RunRecord& changed_record, const Terms& terms);

}  // namespace gdsim
