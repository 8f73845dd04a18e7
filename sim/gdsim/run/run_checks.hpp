#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/model/model_state.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/run/simulate.hpp>

#include <span>
#include <vector>

namespace gdsim {

// What must balance at the end of every run. Each check throws DefectError if it does not.

/// Adds the context-picoseconds that cores have held in this state up to `end`, by core.
void add_held(const ModelState& state, SimTime end, std::vector<Int128>& held);

/// The integral of the timeline's change points is exactly what the cores have held, by core.
void require_conservation(Int128 timeline, std::span<const Int128> held);

/// The accounted time of each core's threads, by rising core, is exactly the time for which they held contexts.
void require_time_accounted(std::span<const CoreTimeUse> uses, std::span<const Int128> held);

/// All launches have ended: once recoveries have ended, too, no core holds anything.
void require_empty(ModelState& state);

/// Finds the faults of a run's options on this device. Paths have the form `options.observers[0]`.
Issues check_options(const RunOptions& options, const DeviceSpec& device);

}  // namespace gdsim
