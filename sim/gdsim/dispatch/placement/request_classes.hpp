#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
#include <gdsim/dispatch/placement/core_selections.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// By launch: numbers that are equal for launches whose work-groups are all alike in what they ask of a core, on the
/// same cores, whatever kernels they are of. Only launches of one kernel share one if that has smaller work-groups at
/// its edges.
std::vector<std::uint32_t> request_classes(const Workload& workload, const CoreSelections& cores,
                                           const LaunchProgress& progress, Admission admission);

}  // namespace gdsim
