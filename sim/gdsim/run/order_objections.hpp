#pragma once

#include <gdsim/run/preflight.hpp>

#include <vector>

namespace gdsim {

/// Launches that wait for each other in a circle: what makes it, link by link, once for all that reach each other.
/// Whatever their kernels are.
std::vector<Objection> object_to_order(const Workload& workload);

}  // namespace gdsim
