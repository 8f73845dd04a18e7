#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
#include <gdsim/dispatch/placement/core_selections.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// Returns, by launch, numbers that are equal for launches, of any kernels, whose work-groups all have the same
/// footprint and may use the same cores. If a kernel has smaller work-groups at its edges, only its own launches share
/// a number.
std::vector<std::uint32_t> classes_by_request(const Workload& workload, const CoreSelections& cores,
                                              const LaunchProgress& progress, Admission admission);

}  // namespace gdsim
