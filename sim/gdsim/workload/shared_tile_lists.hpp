#pragma once

#include <gdsim/workload/workload.hpp>

#include <set>
#include <string>

namespace gdsim {

/// Returns the names of the tile lists that the programs of several launched kernels have in common: all launches of
/// these kernels share them. Thread-safe.
std::set<std::string> shared_tile_lists(const Workload& workload);

}  // namespace gdsim
