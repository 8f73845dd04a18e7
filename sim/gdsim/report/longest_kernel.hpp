#pragma once

#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

namespace gdsim {

/// The kernel of the launch with the longest duration, the first of several; null if none has ended.
const Kernel* longest_kernel(const Workload& workload, const RunRecord& record);

}  // namespace gdsim
