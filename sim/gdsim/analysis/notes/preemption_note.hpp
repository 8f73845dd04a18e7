#pragma once

#include <gdsim/record/run_record.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Returns a sentence for each process that had the device in turn, and one on the cost of switching; empty without
/// preemption. If there are many processes, only the first few are described.
std::vector<std::string> preemption_notes(const RunRecord& record);

/// Describes the share of the run for saving and restoring, without a stop at its end; empty if these took no time.
std::string lost_by_switches(const RunRecord& record);

/// Returns the time for which other processes or switches had the device, from the launch's begin to its end, or
/// nullopt if it has not ended. Without work to run, no process has the device. The run must have had preemption.
OptionalDuration suspended_of(const RunRecord& record, LaunchId launch);

}  // namespace gdsim
