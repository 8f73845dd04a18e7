#pragma once

#include <gdsim/record/run_record.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// A sentence for each process that had the device in turn, and one on the cost of switching; none without preemption.
/// If there are many processes, only the first few are described.
std::vector<std::string> preemption_notes(const RunRecord& record);

/// The share of the run for saving and restoring, without a stop at its end; empty if these took no time.
std::string lost_by_switches(const RunRecord& record);

/// How long other processes or switches had the device, from the launch's begin to its end; nothing if it has not
/// ended. While nothing is to run, no process has the device. The run must have had preemption.
OptionalDuration suspended_of(const RunRecord& record, LaunchId launch);

}  // namespace gdsim
