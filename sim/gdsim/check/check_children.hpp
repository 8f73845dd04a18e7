#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/workload/workload.hpp>

namespace gdsim {

/// Kernels that would launch each other for ever, or too many generations of children.
Issues check_children(const std::vector<Kernel>& kernels);
/// Launches that are called like a child of others. The children were added.
Issues check_names(const Workload& workload);
/// Sums over all launches stay countable. The launches name kernels without an issue, children were added.
Issues check_totals(const Workload& workload);

}  // namespace gdsim
