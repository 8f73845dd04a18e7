#pragma once

#include <gdsim/scenario/read_scenario.hpp>

#include <cstdint>
#include <functional>

namespace gdsim {

/// What became of a step.
enum class StepChange : std::uint8_t { none, changed, removed };

/// Visits every step, those inside loops, divergent parts and bodies of tiles included, and removes those that `change`
/// says; loops and parts that are empty then go with them. A program of which nothing is left gets a step of a
/// picosecond, for each has to take time. True if anything changed.
bool change_program(Program& program, const std::function<StepChange(Step&)>& change);
/// The same for every program of a kernel.
bool change_programs(Kernel& kernel, const std::function<StepChange(Step&)>& change);
/// The same for every kernel of a scenario.
bool change_programs(Scenario& scenario, const std::function<StepChange(Step&)>& change);

}  // namespace gdsim
