#pragma once

#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <optional>

namespace gdsim {

/// Returns the kernel of the launch with the longest duration, the first of equals, or nullopt if no launch has ended.
std::optional<KernelId> longest_kernel_id(const Workload& workload, const RunRecord& record);
/// Returns that kernel itself, or null if no launch has ended.
const Kernel* longest_kernel(const Workload& workload, const RunRecord& record);

/// As above, without launches of collectives, which make their own kernels.
const Kernel* longest_own_kernel(const Workload& workload, const RunRecord& record);

}  // namespace gdsim
