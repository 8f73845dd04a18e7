#pragma once

#include <gdsim/dispatch/choice/kernel_chooser.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
#include <gdsim/dispatch/dispatch_traits.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// Returns, by launch, the number of its request class if all launches of the class get one answer until the turn is
/// over, so that one of them requests for all; else kNotShared. Empty if no launch shares its request.
///
/// Launches share requests only if DispatchTraits::allow_shared_requests() allows it.
///
/// `classes` and `kinds`: see request_classes(), launch_kinds().
std::vector<std::uint32_t> shared_requests(const DispatchRules& rules, const DispatchTraits& traits,
                                           const Workload& workload, const LaunchProgress& progress,
                                           const std::vector<std::uint32_t>& classes,
                                           const std::vector<std::uint32_t>& kinds);

}  // namespace gdsim
