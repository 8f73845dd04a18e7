#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/infer/log/placement_log.hpp>

namespace gdsim {

/// Separates launches of one session, which share a clock, if cores had to hold more than they can because launches
/// overlap, while no single launch exceeds a core. Every launch then becomes a session of its own, with a note.
void separate_launches(PlacementLog& log, const DeviceSpec& device);

}  // namespace gdsim
