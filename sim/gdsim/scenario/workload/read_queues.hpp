#pragma once

#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/workload.hpp>

#include <vector>

namespace gdsim {

/// Reads `queues:`. What cannot be read is reported.
std::vector<Queue> read_queues(const YamlNode& node, const ValueReader& values);

}  // namespace gdsim
