#pragma once

#include <gdsim/workload/kernel.hpp>

namespace gdsim {

/// What an average work-group of a kernel does whose work-groups have programs of their own (differs_by_group()): the
/// same steps, with the mean of their amounts. A loop has the mean of the counts, rounded up, and what its body does is
/// as much less; an amount is rounded, and at least 1.
Program mean_program(const Kernel& kernel);

}  // namespace gdsim
