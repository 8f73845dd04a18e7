#pragma once

#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <optional>

namespace gdsim {

/// The kernel of the launch with the longest duration, the first of equals; nothing if no launch has ended.
std::optional<KernelId> longest_kernel_id(const Workload& workload, const RunRecord& record);
/// That kernel itself; null if no launch has ended.
const Kernel* longest_kernel(const Workload& workload, const RunRecord& record);

/// The same of launches that are no part of a collective, whose kernel is what the collective makes it.
const Kernel* longest_own_kernel(const Workload& workload, const RunRecord& record);

}  // namespace gdsim
