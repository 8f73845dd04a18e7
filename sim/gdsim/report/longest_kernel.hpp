#pragma once

#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

namespace gdsim {

/// The kernel whose launch lasted longest from its first thread to its end, the first of several; null if none has
/// ended.
const Kernel* longest_kernel(const Workload& workload, const RunRecord& record);

}  // namespace gdsim
