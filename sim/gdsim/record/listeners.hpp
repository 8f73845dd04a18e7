#pragma once

#include <gdsim/record/segment_observer.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// The observers of one run. Each receives the detail that it asks for.
class Listeners {
 public:
  /// No observer is null. The observers must outlive this.
  explicit Listeners(std::span<Observer* const> observers);

  /// Returns true if some observer asks for every instant, even if work-groups only reuse the slots of others.
  bool want_every_instant() const { return !everything_.empty(); }
  /// Returns true if some observer asks for each work-group that reuses a slot, but not for every instant.
  bool want_each_work_group() const { return !of_work_groups_.empty(); }
  /// Reports everything that happened at this instant.
  void instant(SimTime time, std::span<const Fact> facts, std::span<const LaunchFact> launches);
  /// Returns the maximum number of repetitions of `segment` per report. The run checks for stop requests between
  /// reports.
  std::uint64_t max_repetitions(const Segment& segment) const;
  void on_repeated(const Segment& segment, std::uint64_t count);
  /// Reports that `work_groups` slots were reused up to `time`. No observer must ask for every instant.
  void count_reuses(SimTime time, std::uint64_t work_groups);
  /// Reports the reused slots to the observers that ask for each.
  void report_reuses(const ReusedSlots& reused);

 private:
  void report_progress(SimTime time, std::span<const LaunchFact> launches);

  std::vector<SegmentObserver*> segments_;
  std::vector<SegmentObserver*> of_work_groups_;  ///< observers of segments_ that ask for each work-group
  std::vector<Observer*> everything_;
  std::vector<Observer*> launches_;
  std::uint64_t instants_ = 0;
  std::uint64_t work_groups_ended_ = 0;
  std::uint64_t facts_ = 0;
};

}  // namespace gdsim
