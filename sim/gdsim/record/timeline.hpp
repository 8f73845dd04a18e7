#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/record/counts.hpp>
#include <gdsim/record/points.hpp>

#include <cstdint>

namespace gdsim {

/// Whether a run keeps every change-point, or those of resident threads, or only what follows from them.
enum class KeepTimeline : std::uint8_t { no, resident_threads, yes };

/// From `time` on, the device is in this state.
struct TimelinePoint {
  Picoseconds time;
  DeviceCounts counts;
};

/// The device over time as exact change-points: a point exactly where a count differs from the one before.
/// What repeats is kept once.
using Timeline = Points<TimelinePoint>;

}  // namespace gdsim
