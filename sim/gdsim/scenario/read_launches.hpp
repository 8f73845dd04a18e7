#pragma once

#include <gdsim/scenario/map_reader.hpp>
#include <gdsim/workload/workload.hpp>

#include <vector>

namespace gdsim {

/// Reads `launches:` of the kernels in `workload`, by their names. What cannot be read is reported.
void read_launches(const YamlNode& node, Workload& workload, const ValueReader& values);

}  // namespace gdsim
