#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/infer/log/placement_log.hpp>

namespace gdsim {

/// Launches of one session share a clock. If they would overlap so that cores had to hold more than they can, while no
/// single launch does that, every launch becomes a session of its own, and a note says so.
void separate_launches(PlacementLog& log, const DeviceSpec& device);

}  // namespace gdsim
