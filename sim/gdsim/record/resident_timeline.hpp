#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/record/timeline.hpp>

#include <cstdint>

namespace gdsim {

/// From `time` on, so many threads are resident.
struct ResidentPoint {
  Picoseconds time;
  std::uint64_t threads = 0;
};

/// Of the device over time, resident threads alone: in a quarter of the memory of a timeline, or less.
struct ResidentTimeline {
  Points<ResidentPoint> points;  ///< the first at the first dispatch, others where the number may change
  Picoseconds end;               ///< the last change of any count; 0 if there was none
};

ResidentTimeline resident_of(const Timeline& timeline);

}  // namespace gdsim
