#pragma once

#include <gdsim/workload/workload.hpp>

#include <set>
#include <string>

namespace gdsim {

/// The names of the lists of tiles that several of the kernels that are launched have in their programs: all launches
/// of these kernels share them. Thread-safe.
std::set<std::string> shared_tile_lists(const Workload& workload);

}  // namespace gdsim
