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

  /// Some observer asks for every instant, those included at which work-groups only reuse the slots of others.
  bool want_every_instant() const { return !everything_.empty(); }
  /// Some observer asks for each work-group that reuses a slot, if not for every instant.
  bool want_each_work_group() const { return !of_work_groups_.empty(); }
  /// Everything that happened at this instant.
  void instant(SimTime time, std::span<const Fact> facts, std::span<const LaunchFact> launches);
  /// How many repetitions of `segment` may be reported at once: between them, the run checks for a stop request.
  std::uint64_t max_repetitions(const Segment& segment) const;
  void repeated(const Segment& segment, std::uint64_t count);
  /// So many slots were reused up to `time`. No observer asks for every instant.
  void count_reuses(SimTime time, std::uint64_t work_groups);
  /// The same slots, for those observers that ask for each.
  void report_reuses(const ReusedSlots& reused);

 private:
  void report_progress(SimTime time, std::span<const LaunchFact> launches);

  std::vector<SegmentObserver*> segments_;
  std::vector<SegmentObserver*> of_work_groups_;  ///< those of segments_ that want to know of each
  std::vector<Observer*> everything_;
  std::vector<Observer*> launches_;
  std::uint64_t instants_ = 0;
  std::uint64_t work_groups_ended_ = 0;
  std::uint64_t facts_ = 0;
};

}  // namespace gdsim
