#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <vector>

namespace gdsim {

/// Makes a scenario without refusals ready to run, without a copy of its workload: the scenario must outlive the answer
/// and stay as it is. Throws InputError if something else cannot run, or if the scenario is of several devices.
/// Thread-safe.
Compiled compile_scenario(const Scenario& scenario);

/// The same of a scenario of several devices, of each of them. Likewise thread-safe.
std::vector<Compiled> compile_devices(const Scenario& scenario);

}  // namespace gdsim
