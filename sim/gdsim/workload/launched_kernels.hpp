#pragma once

#include <gdsim/workload/workload.hpp>

#include <vector>

namespace gdsim {

/// The kernels that launches run, and those that these launch as children; each once, ascending. A file may describe
/// others, of which nothing is to be said. They point into the workload. Thread-safe.
std::vector<const Kernel*> launched_kernels(const Workload& workload);

}  // namespace gdsim
