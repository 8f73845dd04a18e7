#pragma once

#include <gdsim/scenario/scenario.hpp>

#include <cstdint>
#include <functional>

namespace gdsim {

/// The result of a change of a step.
enum class StepChange : std::uint8_t { none, changed, removed };

/// Visits every step, those inside loops, divergent parts and bodies of tiles included, and removes those for which
/// `change` returns `removed`, and loops and parts that become empty. A program that becomes empty gets a step of one
/// picosecond, because every program must take time. Returns true if anything changed.
bool change_program(Program& program, const std::function<StepChange(Step&)>& change);
/// Changes every program of a kernel. Returns true if anything changed.
bool change_programs(Kernel& kernel, const std::function<StepChange(Step&)>& change);
/// Changes every kernel of a scenario. Returns true if anything changed.
bool change_programs(Scenario& scenario, const std::function<StepChange(Step&)>& change);

}  // namespace gdsim
