#pragma once

#include <gdsim/dispatch/choice/kernel_chooser.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
#include <gdsim/dispatch/dispatch_traits.hpp>
#include <gdsim/dispatch/launch_classes.hpp>

namespace gdsim {

/// Launches, of any kernels, that get one answer until the turn is over, so that one of them requests for all; the
/// numbers are those of classify_by_request(). Others are in no class. Empty if no launch shares its request.
///
/// Launches share requests only where DispatchTraits::allow_shared_requests() allows it. `requests`: see
/// classify_by_request(); `kinds`: see classify_by_kernel_and_cores().
LaunchClasses classify_by_shared_request(const DispatchRules& rules, const DispatchTraits& traits,
                                         const Workload& workload, const LaunchProgress& progress,
                                         const LaunchClasses& requests, const LaunchClasses& kinds);

}  // namespace gdsim
