#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/scenario/read_scenario.hpp>

namespace gdsim {

/// Makes a scenario without refusals ready to run, without a copy of its workload: the scenario must outlive the answer
/// and stay as it is. Throws InputError if something else cannot run. Thread-safe.
Compiled compile_scenario(const Scenario& scenario);

}  // namespace gdsim
