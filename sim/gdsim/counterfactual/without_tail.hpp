#pragma once

#include <gdsim/fit/limits.hpp>
#include <gdsim/workload/kernel.hpp>

#include <optional>

namespace gdsim {

/// Returns the kernel without its tail: the work of the tail's work-groups is spread evenly over the others. All work
/// is kept, also that of work-groups with factors or durations of their own; it is rounded if it needs more than 63
/// bits. Returns nullopt if that is not possible: work-groups of different sizes, programs that launch children, or
/// factors beyond 63 bits. compile() refuses an amount that leaves its range.
///
/// Drawn work counts as its mean. The kernel must be able to run on `device`.
std::optional<Kernel> without_tail(const Kernel& kernel, const Tail& tail, const DeviceSpec& device);

}  // namespace gdsim
