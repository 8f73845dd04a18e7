#pragma once

#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/scenario/scenario.hpp>
#include <gdsim/workload/workload.hpp>

#include <vector>

namespace gdsim {

/// Reads `expect:` about `launches`. All problems are added.
std::vector<Expectation> read_expectations(const YamlNode& node, const std::vector<Launch>& launches,
                                           const ValueReader& values);

}  // namespace gdsim
