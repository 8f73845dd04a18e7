#pragma once

#include <gdsim/record/segment_observer.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// The observers of one run; each receives the detail that it asks for.
class Listeners {
 public:
  /// None is null. They must outlive this.
  explicit Listeners(std::span<Observer* const> observers);

  /// Some observer asks for every work-group, those included that only reuse the slots of others.
  bool want_every_work_group() const { return !everything_.empty(); }
  /// Everything that happened at this instant.
  void instant(SimTime time, std::span<const Fact> facts, std::span<const LaunchFact> launches);
  /// How many repetitions of `segment` may be reported at once: between them, the run checks for a stop request.
  std::uint64_t max_repetitions(const Segment& segment) const;
  void repeated(const Segment& segment, std::uint64_t count);
  /// So many slots were reused up to `time`. No observer asks for single ones.
  void slots_reused(SimTime time, std::uint64_t work_groups);

 private:
  void report_progress(SimTime time, std::span<const LaunchFact> launches);

  std::vector<SegmentObserver*> segments_;
  std::vector<Observer*> everything_;
  std::vector<Observer*> launches_;
  std::uint64_t instants_ = 0;
  std::uint64_t work_groups_ended_ = 0;
  std::uint64_t facts_ = 0;
};

}  // namespace gdsim
