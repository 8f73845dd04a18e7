#pragma once

#include <gdsim/dispatch/choice/kernel_chooser.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
#include <gdsim/dispatch/dispatch_traits.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// Returns, by launch, the number of its request class if all launches of the class get the same answer until the end
/// of a turn, so that one of them requests for all; else kNotShared. The result is empty if no launch shares its
/// request.
///
/// Launches share requests only if DispatchTraits::allow_shared_requests() returns true.
///
/// `classes` and `kinds` are those of classes_by_request() and classes_by_kernel_and_cores().
std::vector<std::uint32_t> classes_by_shared_request(const DispatchRules& rules, const DispatchTraits& traits,
                                                     const Workload& workload, const LaunchProgress& progress,
                                                     const std::vector<std::uint32_t>& classes,
                                                     const std::vector<std::uint32_t>& kinds);

}  // namespace gdsim
