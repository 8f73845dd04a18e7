#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
#include <gdsim/dispatch/launch_classes.hpp>
#include <gdsim/dispatch/shares/core_selections.hpp>

namespace gdsim {

/// Launches, of any kernels, whose work-groups all need the same of a core, on the same cores: FitSearch remembers
/// answers by these. If a kernel has smaller work-groups at its edges, only launches of this kernel are in one class.
LaunchClasses classify_by_request(const Workload& workload, const CoreSelections& cores, const LaunchProgress& progress,
                                  Admission admission);

}  // namespace gdsim
