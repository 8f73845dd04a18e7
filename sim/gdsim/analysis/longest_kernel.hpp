#pragma once

#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <optional>

namespace gdsim {

/// Returns the kernel of the launch with the longest duration, the first of equals, or nullopt if no launch has ended.
std::optional<KernelId> longest_kernel_id(const Workload& workload, const RunRecord& record);
/// That kernel itself; null if no launch has ended.
const Kernel* longest_kernel(const Workload& workload, const RunRecord& record);

/// The same for launches that are not part of a collective, which makes its own kernel.
const Kernel* longest_own_kernel(const Workload& workload, const RunRecord& record);

}  // namespace gdsim
