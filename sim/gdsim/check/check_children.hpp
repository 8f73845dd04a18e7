#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/workload/workload.hpp>

namespace gdsim {

/// Returns an issue for each cycle of kernels that launch each other, and for too many generations of children.
Issues check_children(const std::vector<Kernel>& kernels);
/// Returns an issue for each launch with the name of another launch's child. Children must have been added.
Issues check_names(const Workload& workload);
/// Returns an issue for each sum over all launches that leaves its range. Kernels must have no issue. Children must
/// have been added.
Issues check_totals(const Workload& workload);

}  // namespace gdsim
