#pragma once

#include <gdsim/record/observer.hpp>
#include <gdsim/record/reused_slots.hpp>
#include <gdsim/record/segment.hpp>

#include <cstdint>

namespace gdsim {

/// An internal observer that supports fast-forwarding. A repeated segment is reported once, with the number of
/// repetitions. Work-groups that only reuse slots of their launch change no count: they are reported in bulk, and only
/// if the observer needs each of them.
class SegmentObserver : public Observer {
 public:
  Detail detail() const final { return Detail::everything; }

  /// Reports `count` repetitions, at least one, of `segment`, whose instants have all been reported. Each repetition is
  /// moved from the previous one by the segment's shift.
  virtual void on_repeated(const Segment& segment, std::uint64_t count) = 0;
  /// Returns true if the observer needs each work-group that reuses a slot. Is called once, when a run begins.
  virtual bool wants_each_work_group() const { return false; }
  /// Reports work-groups that ended at instants that were not reported, and whose slots were reused. Is called only if
  /// wants_each_work_group() returns true.
  virtual void on_reuses(const ReusedSlots&) {}
  /// As on_reuses(), for an observer that needs only the number of reused slots.
  virtual void on_reuses_counted(std::uint64_t) {}
};

/// Reports every instant of the repetitions `first` to `last` of the segment, counted from 1, to the observer.
void replay(const Segment& segment, std::uint64_t first, std::uint64_t last, Observer& observer);

}  // namespace gdsim
