#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/record/observer.hpp>
#include <gdsim/record/points.hpp>

#include <cstdint>

namespace gdsim {

/// The scope of a residency. A work-group spread over several cores counts on each of them, but once on the device.
enum class Scope : std::uint8_t { core, device };

/// The residency at one instant, of one core or of the whole device.
struct Residency {
  std::uint64_t threads = 0;      ///< that hold a context
  std::uint64_t running = 0;      ///< that execute a step
  std::uint64_t work_groups = 0;  ///< partially placed ones included
  Bytes slm;                      ///< allocated

  std::uint64_t stalled() const { return threads - running; }
  void apply(const Fact& fact, Scope scope);
  friend bool operator==(const Residency&, const Residency&) = default;
};

inline void Residency::apply(const Fact& fact, Scope scope) {
  switch (fact.kind) {
    case FactKind::placed:
      threads += fact.threads;
      running += fact.threads;
      if (scope == Scope::core ? fact.opens_core : fact.opens_group) ++work_groups;
      if (fact.opens_core) slm = slm + fact.slm;
      return;
    case FactKind::resumed: running += fact.threads; return;
    case FactKind::waiting:
    case FactKind::ended: running -= fact.threads; return;
    case FactKind::released:
      threads -= fact.threads;
      if (scope == Scope::core ? fact.closes_core : fact.closes_group) --work_groups;
      if (fact.closes_core) slm = slm - fact.slm;
      return;
    case FactKind::saved:
      threads -= fact.threads;
      running -= fact.running;
      --work_groups;
      slm = slm - fact.slm;
      return;
    case FactKind::restored:
      threads += fact.threads;
      running += fact.running;
      ++work_groups;
      slm = slm + fact.slm;
      return;
  }
}

/// The state of the whole device at one instant.
struct DeviceCounts {
  Residency resident;
  std::uint64_t work_groups_partial = 0;
  std::uint64_t cores_busy = 0;  ///< cores with at least one held context

  friend bool operator==(const DeviceCounts&, const DeviceCounts&) = default;
};

/// The change-points that a run keeps: none, only values derived from them; those of resident threads; or all.
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

/// The device over time as exact change-points: there is a point exactly where a count changes. Recurring points are
/// stored once.
using Timeline = Points<TimelinePoint>;

/// From `time` on, this many threads are resident.
struct ResidentPoint {
  SimTime time;
  std::uint64_t threads = 0;
};

/// The resident threads of the device over time. It takes at most a quarter of the memory of a Timeline.
struct ResidentTimeline {
  Points<ResidentPoint> points;  ///< the first is at the first dispatch, the others where the number may change
  SimTime end;                   ///< end of the run; 0 if nothing was dispatched
};

/// Returns the resident threads of `timeline` for a run that ends at `end`. Thread-safe.
ResidentTimeline resident_of(const Timeline& timeline, SimTime end);

}  // namespace gdsim
