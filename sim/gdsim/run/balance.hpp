#pragma once

#include <gdsim/model/model_state.hpp>
#include <gdsim/record/time_use.hpp>

#include <span>
#include <vector>

// What must balance at the end of every run. Each check throws DefectError if it does not.

namespace gdsim {

/// Adds the context-picoseconds that cores have held in this state up to `end`, by core.
void add_held(const ModelState& state, SimTime end, std::vector<Int128>& held);

/// The integral of the timeline's change points is exactly what the cores have held, by core.
void require_conservation(Int128 timeline, std::span<const Int128> held);

/// The accounted time of each core's threads, by rising core, is exactly the time for which they held contexts.
void require_time_accounted(std::span<const CoreTimeUse> uses, std::span<const Int128> held);

/// All launches have ended: once recoveries have ended, too, no core holds anything.
void require_empty(ModelState& state);

}  // namespace gdsim
