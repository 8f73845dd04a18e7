#pragma once

#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/kernel.hpp>

#include <vector>

namespace gdsim {

/// Reads the steps `launch: {kernel, wait}` of all programs of `node`, the mapping `kernels:`, now that every kernel is
/// known. `kernels` are those of the mapping, in order, with a LaunchChild for each such step; one whose kernel is
/// unknown is taken out.
void read_children(const YamlNode& node, std::vector<Kernel>& kernels, const ValueReader& values);

}  // namespace gdsim
