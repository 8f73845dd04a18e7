#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/record/counts.hpp>
#include <gdsim/record/points.hpp>

#include <cstdint>

namespace gdsim {

/// Whether a run keeps every change-point, or those of resident threads, or only what follows from them.
///
///     gdsim::RunOptions options;
///     options.keep_timeline = gdsim::KeepTimeline::yes;
enum class KeepTimeline : std::uint8_t { no, resident_threads, yes };

/// From `time` on, the device is in this state.
struct TimelinePoint {
  Picoseconds time;
  DeviceCounts counts;
};

/// The device over time as exact change-points: a point exactly where a count differs from the one before.
/// What repeats is kept once.
using Timeline = Points<TimelinePoint>;

/// From `time` on, this many threads are resident.
struct ResidentPoint {
  Picoseconds time;
  std::uint64_t threads = 0;
};

/// Of the device over time, resident threads alone: in a quarter of the memory of a timeline, or less.
struct ResidentTimeline {
  Points<ResidentPoint> points;  ///< the first at the first dispatch, others where the number may change
  Picoseconds end;               ///< the last change of any count; 0 if there was none
};

/// The same without all other counts. Thread-safe.
ResidentTimeline resident_of(const Timeline& timeline);

}  // namespace gdsim
