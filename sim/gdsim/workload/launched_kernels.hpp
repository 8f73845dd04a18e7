#pragma once

#include <gdsim/workload/workload.hpp>

#include <vector>

namespace gdsim {

/// Returns the kernels that launches run, and those that these launch as children; each once, ascending. A file may
/// describe other kernels, which reports do not mention. The pointers refer to the workload. Thread-safe.
std::vector<const Kernel*> launched_kernels(const Workload& workload);

}  // namespace gdsim
