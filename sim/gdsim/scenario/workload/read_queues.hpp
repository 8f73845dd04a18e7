#pragma once

#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Reads `queues:` on a device with `cores` cores; nullopt: not known. Reports queues that cannot be read.
std::vector<Queue> read_queues(const YamlNode& node, std::optional<std::uint32_t> cores, const ValueReader& values);

}  // namespace gdsim
