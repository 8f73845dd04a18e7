#pragma once

#include <gdsim/workload/workload.hpp>

#include <vector>

namespace gdsim {

/// The kernels that launches run, and the kernels that these launch as children; each once, ascending. A file may
/// describe other kernels, which reports do not mention. The pointers are into the workload. Thread-safe.
std::vector<const Kernel*> launched_kernels(const Workload& workload);

}  // namespace gdsim
