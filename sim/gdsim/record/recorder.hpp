#pragma once

#include <gdsim/base/arithmetic.hpp>
#include <gdsim/record/observer.hpp>
#include <gdsim/record/part_timelines.hpp>
#include <gdsim/record/phase_shapes.hpp>
#include <gdsim/record/timeline.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

/// Records the integral, the peak and the phases of the residency of the whole device, and on request its timeline.
class Recorder final : public Observer {
 public:
  Recorder(std::uint32_t cores, const PhaseRules& rules, KeepTimeline keep);

  Detail detail() const override { return Detail::everything; }
  void on_instant(const Instant& now) override { record(now.time, now.facts); }
  /// As on_instant(): records the facts of an instant.
  void record(SimTime time, std::span<const Fact> facts);

  /// Returns the timeline; empty unless `keep` was KeepTimeline::yes.
  Timeline take_timeline() { return std::move(timeline_); }
  /// Returns the timeline of a run that ends at `end`; empty unless `keep` was KeepTimeline::resident_threads.
  ResidentTimeline take_resident(SimTime end);
  /// Returns the number of threads that are resident now.
  std::uint64_t resident() const { return counter_.counts().resident.threads; }
  std::uint64_t peak_resident() const { return peak_resident_; }
  /// Returns the time when the first thread was placed, or nullopt if none was.
  std::optional<SimTime> start() const { return start_; }
  /// Returns the integral of resident threads up to `end`, thread-picoseconds.
  Int128 resident_time(SimTime end) const { return resident_threads_.sum_at(end); }
  /// Returns the time up to `end` in which a core held a thread, summed over all cores, picoseconds.
  Int128 core_time(SimTime end) const { return cores_busy_.sum_at(end); }
  PhaseList finish_phases(SimTime end) { return detector_.finish(end); }

 private:
  void set_resident(SimTime time, std::uint64_t threads);

  DeviceCounter counter_;
  PhaseDetector detector_;
  KeepTimeline keep_;
  Timeline timeline_;
  ChangePoints<ResidentPoint> resident_;
  std::optional<SimTime> start_;
  TimeIntegral resident_threads_;
  TimeIntegral cores_busy_;
  std::uint64_t peak_resident_ = 0;
};

/// The recorder and the observers of one run. Each observer receives the detail that it asks for.
class Listeners {
 public:
  /// No observer is null; the recorder, which comes first, may be. All must outlive this.
  explicit Listeners(std::span<Observer* const> observers, Recorder* recorder = nullptr);

  /// Reports everything that happened at this instant.
  void instant(SimTime time, std::span<const Fact> facts, std::span<const LaunchFact> launches);

 private:
  void tell(SimTime time, std::span<const Fact> facts, std::span<const LaunchFact> launches);

  Recorder* recorder_;
  std::vector<Observer*> everything_;
  std::vector<Observer*> launches_;
  std::uint64_t instants_ = 0;
  std::uint64_t work_groups_ended_ = 0;
  std::uint64_t facts_ = 0;
};

}  // namespace gdsim
