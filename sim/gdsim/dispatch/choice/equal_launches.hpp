#pragma once

#include <gdsim/dispatch/launch_classes.hpp>
#include <gdsim/dispatch/shares/core_selections.hpp>
#include <gdsim/workload/workload.hpp>

namespace gdsim {

/// Launches of the same kernel on the same cores: their *kind*. Children are of other kinds, because they may always
/// begin. Launches of one kind do not overtake each other.
LaunchClasses classify_by_kernel_and_cores(const Workload& workload, const CoreSelections& cores);

/// Launches of the same kernel, cores and next work-group: if one is refused in a turn, so are the others. A launch
/// whose kernel has smaller work-groups at its edges has a class of its own.
LaunchClasses classify_by_next_work_group(const Workload& workload, const CoreSelections& cores);

}  // namespace gdsim
