#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <vector>

namespace gdsim {

/// Calls compile_scenario() for each device of a scenario with several devices. Thread-safe.
std::vector<Compiled> compile_devices(const Scenario& scenario);

}  // namespace gdsim
