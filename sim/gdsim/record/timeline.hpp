#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/record/counts.hpp>

#include <vector>

namespace gdsim {

/// From `time` on, the device is in this state.
struct TimelinePoint {
  Picoseconds time;
  DeviceCounts counts;
};

/// The device over time as exact change-points: a point exactly where a count differs from the one before.
using Timeline = std::vector<TimelinePoint>;

}  // namespace gdsim
