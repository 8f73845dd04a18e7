#pragma once

#include <gdsim/record/observer.hpp>
#include <gdsim/record/reused_slots.hpp>
#include <gdsim/record/segment.hpp>

#include <cstdint>

namespace gdsim {

/// An internal observer that supports fast-forwarding. A repeated segment is reported once, with the number of
/// repetitions. Work-groups that only take over slots of their launch, which changes no count, are reported many at
/// once, if the observer needs each of them.
class SegmentObserver : public Observer {
 public:
  Detail detail() const final { return Detail::everything; }

  /// `segment`, whose instants were all reported before, happens `count` times more, at least once. Each repetition is
  /// moved once more by the segment's shift.
  virtual void repeated(const Segment& segment, std::uint64_t count) = 0;
  /// Returns true if the observer needs each work-group that reuses a slot. Is called once, when a run begins.
  virtual bool wants_each_work_group() const { return false; }
  /// Reports work-groups that ended at instants that were not reported, and whose slots were reused. Is called only if
  /// wants_each_work_group().
  virtual void on_reuses(const ReusedSlots&) {}
  /// As on_reuses(), for an observer that needs only the number of reused slots.
  virtual void on_reuses_counted(std::uint64_t) {}
};

/// Reports every instant of the repetitions `first` to `last` of the segment, counted from 1, to the observer.
void replay(const Segment& segment, std::uint64_t first, std::uint64_t last, Observer& observer);

}  // namespace gdsim
