#pragma once

#include <gdsim/workload/kernel.hpp>

namespace gdsim {

/// Returns the program of an average work-group, for a kernel whose work-groups have programs of their own
/// (differs_by_group()): the same steps, with the mean of their amounts. A loop has the mean of the counts, rounded up,
/// and the amounts in its body are reduced accordingly; an amount is rounded, and at least 1.
Program mean_program(const Kernel& kernel);

}  // namespace gdsim
