#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/workload/workload.hpp>

namespace gdsim {

/// Returns kernels that launch each other in a cycle, or too many generations of children.
Issues check_children(const std::vector<Kernel>& kernels);
/// Returns launches with the name of another launch's child. Children must have been added.
Issues check_names(const Workload& workload);
/// Returns sums over all launches that leave their range. Kernels must have no issue. Children must have been added.
Issues check_totals(const Workload& workload);

}  // namespace gdsim
