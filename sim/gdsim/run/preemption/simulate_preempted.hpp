#pragma once

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/run/run_switches.hpp>

namespace gdsim {

/// simulate() where the rules have `preemption`: the options are checked.
RunResult simulate_preempted(const CompiledParts& parts, const SwitchedRunOptions& options);

}  // namespace gdsim
