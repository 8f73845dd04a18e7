#pragma once

#include <gdsim/record/reused_slots.hpp>
#include <gdsim/record/segment.hpp>

#include <cstdint>
#include <span>

namespace gdsim {

/// Receives the parts of a run that are fast-forwarded.
class FastForwardSink {
 public:
  virtual ~FastForwardSink() = default;

  /// Returns the maximum number of repetitions of `segment` per report. The run may be stopped between reports.
  virtual std::uint64_t max_repetitions(const Segment& segment) = 0;
  /// Reports `count` more repetitions of `segment`.
  virtual void on_repeated(const Segment& segment, std::uint64_t count) = 0;
  /// Returns true if an instant need not be reported at which work-groups of a launch only reuse its slots.
  virtual bool may_elide_instants() const = 0;
  /// Returns true if each slot that was reused at such an instant must be reported.
  virtual bool wants_each_reuse() const = 0;
  virtual void report_reuses(const ReusedSlots& reused) = 0;
  /// Reports that `work_groups` slots were reused at such instants.
  virtual void count_reuses(std::uint64_t work_groups) = 0;
  /// Reports an instant of a launch that repeats an earlier, equal launch.
  virtual void report_instant(SimTime time, std::span<const Fact> facts, std::span<const LaunchFact> launches) = 0;
  /// Reports that `launches` such launches have ended.
  virtual void count_launches(std::uint64_t launches) = 0;
  virtual bool stop_requested() const = 0;
};

}  // namespace gdsim
