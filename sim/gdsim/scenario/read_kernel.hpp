#pragma once

#include <gdsim/scenario/map_reader.hpp>
#include <gdsim/workload/kernel.hpp>

#include <string>

namespace gdsim {

/// Reads one entry of `kernels:`. What cannot be read is reported and left at its default.
Kernel read_kernel(const std::string& name, const YamlNode& node, const ValueReader& values);

}  // namespace gdsim
