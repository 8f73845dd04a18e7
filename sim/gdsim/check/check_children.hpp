#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/workload/workload.hpp>

namespace gdsim {

/// Kernels that launch each other in a cycle, or too many generations of children.
Issues check_children(const std::vector<Kernel>& kernels);
/// Launches with the name of another launch's child. The children were added.
Issues check_names(const Workload& workload);
/// Sums over all launches that leave their range. The launches name kernels without an issue, and children were added.
Issues check_totals(const Workload& workload);

}  // namespace gdsim
