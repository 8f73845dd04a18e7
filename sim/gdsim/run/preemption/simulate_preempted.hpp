#pragma once

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/run/internal_run_options.hpp>

namespace gdsim {

/// simulate() for rules with `preemption`. The options must have been checked.
RunResult simulate_preempted(const CompiledParts& parts, const InternalRunOptions& options);

}  // namespace gdsim
