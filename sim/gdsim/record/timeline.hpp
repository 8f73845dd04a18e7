#pragma once

#include <gdsim/base/lean_vectors.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>

// The device over time, as change points: there is a point exactly where a count changes.

namespace gdsim {

/// Change points by ascending times. They are read as a std::vector is: by begin() and end(), size(), empty(), front(),
/// back(), data() and []. Any number of threads may read them.
///
///     std::uint64_t most = 0;
///     for (const gdsim::TimelinePoint& point : result.timeline) most = std::max(most, point.counts.cores_busy);
template <class Point>
using ChangePoints = detail::GrowingBlock<Point>;

/// The residency at one instant, of one core or of the whole device.
struct Residency {
  std::uint64_t threads = 0;      ///< that hold a context
  std::uint64_t running = 0;      ///< that execute a step
  std::uint64_t work_groups = 0;  ///< partially placed ones included
  Bytes slm;                      ///< allocated

  std::uint64_t stalled() const { return threads - running; }
  friend bool operator==(const Residency&, const Residency&) = default;
};

/// The state of the whole device at one instant.
struct DeviceCounts {
  Residency resident;
  std::uint64_t work_groups_partial = 0;
  std::uint64_t cores_busy = 0;  ///< cores with at least one held context

  friend bool operator==(const DeviceCounts&, const DeviceCounts&) = default;
};

/// The change points that a run keeps: none, only values derived from them; those of resident threads; or all.
///
///     gdsim::RunOptions options;
///     options.keep_timeline = gdsim::KeepTimeline::yes;
enum class KeepTimeline : std::uint8_t { no, resident_threads, yes };

/// From `time` on, the device is in this state.
///
///     for (const gdsim::TimelinePoint& point : result.timeline)
///       std::cout << point.time.count << " ps: " << point.counts.resident.threads << " threads\n";
struct TimelinePoint {
  SimTime time;
  DeviceCounts counts;
};

/// The device over time as exact change points: there is a point exactly where a count changes.
using Timeline = ChangePoints<TimelinePoint>;

/// From `time` on, this many threads are resident.
struct ResidentPoint {
  SimTime time;
  std::uint64_t threads = 0;
};

/// The resident threads of the device over time. It takes at most a quarter of the memory of a Timeline.
struct ResidentTimeline {
  ChangePoints<ResidentPoint> points;  ///< the first is at the first dispatch, the others where the number may change
  SimTime end;                         ///< end of the run; 0 if nothing was dispatched
};

/// Returns the resident threads of `timeline` for a run that ends at `end`. Thread-safe.
ResidentTimeline resident_of(const Timeline& timeline, SimTime end);

}  // namespace gdsim
