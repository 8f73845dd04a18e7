#pragma once

#include <gdsim/fit/tail.hpp>
#include <gdsim/workload/kernel.hpp>

#include <optional>

namespace gdsim {

/// The kernel without its tail: what the work-groups of the tail would have done is spread evenly over the others.
/// Nothing if that cannot be said: work-groups of different sizes, or programs that launch children.
std::optional<Kernel> without_tail(const Kernel& kernel, const Tail& tail);

/// The kernel without the work-groups of its tail, and without their work.
Kernel without_work_groups_of_tail(const Kernel& kernel, const Tail& tail);

}  // namespace gdsim
