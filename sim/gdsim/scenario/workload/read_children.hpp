#pragma once

#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/kernel.hpp>

#include <vector>

namespace gdsim {

/// Reads the steps `launch: {kernel, wait}` of all programs of `node`, the mapping `kernels:`, once every kernel is
/// known. `kernels` are those of the mapping, in order, with a LaunchChild for each such step. A step whose kernel is
/// unknown is removed.
void read_children(const YamlNode& node, std::vector<Kernel>& kernels, const ValueReader& values);

}  // namespace gdsim
