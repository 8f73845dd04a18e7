#pragma once

#include <gdsim/record/run_record.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// A sentence for each process that had the device in turn, and one on what switching cost; none without preemption.
/// Of many processes, the first few.
std::vector<std::string> preemption_notes(const RunRecord& record);

/// What saving and restoring took of the run, without a stop at its end; empty if it took no time.
std::string lost_by_switches(const RunRecord& record);

/// How long others had the device, or a switch took, from the launch's begin to its end; nothing if it has not ended.
/// While nothing is to run, nobody has it. The run had preemption.
OptionalDuration suspended_of(const RunRecord& record, LaunchId launch);

}  // namespace gdsim
