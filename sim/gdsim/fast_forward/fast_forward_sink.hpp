#pragma once

#include <gdsim/record/reused_slots.hpp>
#include <gdsim/record/segment.hpp>

#include <cstdint>
#include <span>

namespace gdsim {

/// Receives what a run is fast-forwarded over.
class FastForwardSink {
 public:
  virtual ~FastForwardSink() = default;

  /// How often a segment may be repeated at once; between repetitions the run may be stopped.
  virtual std::uint64_t max_repetitions(const Segment& segment) = 0;
  /// What `segment` holds happens `count` more times.
  virtual void repeated(const Segment& segment, std::uint64_t count) = 0;
  /// Instants at which work-groups only end while others of their launch take their slots need not be reported.
  virtual bool may_elide_instants() const = 0;
  /// Each slot that was reused at such an instant is to be reported.
  virtual bool wants_each_reuse() const = 0;
  virtual void report_reuses(const ReusedSlots& reused) = 0;
  /// `work_groups` slots were reused at such instants.
  virtual void count_reuses(std::uint64_t work_groups) = 0;
  /// What happens at an instant of a launch that repeats an earlier, equal one.
  virtual void report_instant(SimTime time, std::span<const Fact> facts, std::span<const LaunchFact> launches) = 0;
  /// `launches` such launches have ended.
  virtual void count_launches(std::uint64_t launches) = 0;
  virtual bool stop_requested() const = 0;
};

}  // namespace gdsim
