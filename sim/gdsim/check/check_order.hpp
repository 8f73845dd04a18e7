#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

namespace gdsim {

/// Returns the cycles of launches that wait for each other: one for each set of launches that reach each other. The
/// kernels may have issues. The graph must be that of the workload.
Issues check_order(const Workload& workload, const LaunchGraph& graph);

/// Returns an issue for each cycle of kernels that launch each other, and for too many generations of children: the
/// device's limit counts if it is known.
Issues check_children(const std::vector<Kernel>& kernels, const DeviceSpec* device = nullptr);
/// Checks all launches together: returns an issue for each one with the name of another launch's child, and for each
/// sum over all that leaves its range. Kernels must have no issue. Children must have been added.
Issues check_all_launches(const Workload& workload);

}  // namespace gdsim
