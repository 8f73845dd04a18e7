#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// Writes when and where every work-group ran, in the JSON of UNC's cuda_scheduling_examiner, so that its viewers show
/// simulated runs: `block_times` (begin and end of each block in turn) and `block_smids`. Times are seconds with 12
/// decimals; null if a work-group has not ended. `thread_count` is work-items per work-group, as CUDA counts.
void write_block_times_json(const RunReport& report, Sink& sink);

}  // namespace gdsim
