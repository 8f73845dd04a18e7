#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <vector>

namespace gdsim {

/// compile_scenario() of each device of a scenario that has several. Likewise thread-safe.
std::vector<Compiled> compile_devices(const Scenario& scenario);

}  // namespace gdsim
