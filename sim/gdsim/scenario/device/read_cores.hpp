#pragma once

#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/workload.hpp>

namespace gdsim {

/// Reads `cores:`: a core, a range `0-2`, or a list of these, without duplicates. Reports entries that cannot be read.
CoreSelection read_cores(const YamlNode& node, const ValueReader& values);

}  // namespace gdsim
