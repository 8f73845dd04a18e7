#pragma once

#include <gdsim/base/time_integral.hpp>
#include <gdsim/record/device_counter.hpp>
#include <gdsim/record/phase_detector.hpp>
#include <gdsim/record/recorded_points.hpp>
#include <gdsim/record/segment_observer.hpp>
#include <gdsim/record/timeline.hpp>

#include <cstdint>
#include <optional>
#include <utility>

namespace gdsim {

/// Records the integral, the peak and the phases of the residency of the whole device, and on request its timeline.
class Recorder : public SegmentObserver {
 public:
  Recorder(std::uint32_t cores, const PhaseRules& rules, KeepTimeline keep);

  void on_instant(const Instant& now) override;

  /// The cost is proportional to the phase data of the repetitions, see PhaseDetector. A timeline stores them once.
  void on_repeated(const Segment& segment, std::uint64_t count) override;

  /// Returns the timeline; empty unless `keep` was KeepTimeline::yes.
  Timeline take_timeline() { return std::move(timeline_); }
  /// Returns the timeline of a run that ends at `end`; empty unless `keep` was KeepTimeline::resident_threads.
  ResidentTimeline take_resident(SimTime end);
  /// Returns the number of threads that are resident now.
  std::uint64_t resident() const { return last_.resident.threads; }
  std::uint64_t peak_resident() const { return peak_resident_; }
  /// Returns the time when the first thread was placed, or nullopt if none was.
  std::optional<SimTime> start() const { return start_; }
  /// Returns the integral of resident threads up to `end`, thread-picoseconds.
  Int128 resident_time(SimTime end) const { return resident_threads_.at(end); }
  /// Returns the time up to `end` in which a core held a thread, summed over all cores, picoseconds.
  Int128 core_time(SimTime end) const { return cores_busy_.at(end); }
  PhaseList finish_phases(SimTime end) { return detector_.finish(end); }

 private:
  /// Sets the counts that the device has from `time` on.
  void state(SimTime time, const DeviceCounts& counts);

  DeviceCounter counter_;
  DeviceCounts last_;
  PhaseDetector detector_;
  KeepTimeline keep_;
  RecordedPoints<TimelinePoint> timeline_;
  RecordedPoints<ResidentPoint> resident_;
  std::optional<SimTime> start_;
  SimTime changed_;
  TimeIntegral resident_threads_;
  TimeIntegral cores_busy_;
  std::uint64_t peak_resident_ = 0;
};

}  // namespace gdsim
