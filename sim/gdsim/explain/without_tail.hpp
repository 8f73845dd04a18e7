#pragma once

#include <gdsim/fit/tail.hpp>
#include <gdsim/workload/kernel.hpp>

#include <optional>

namespace gdsim {

/// The kernel without its tail: what the work-groups of the tail would have done is spread evenly over the others, each
/// of which does as much more. All work is kept, also that of work-groups with factors or durations of their own; it is
/// rounded where it needs more than 63 bits. Nothing if that cannot be said: work-groups of different sizes, programs
/// that launch children, or factors beyond 63 bits. An amount that leaves its range by it is refused by compile().
///
/// Work that is drawn counts as its mean. `device` is one on which the kernel can run.
std::optional<Kernel> without_tail(const Kernel& kernel, const Tail& tail, const DeviceSpec& device);

}  // namespace gdsim
