#pragma once

#include <gdsim/record/observer.hpp>
#include <gdsim/record/reused_slots.hpp>
#include <gdsim/record/segment.hpp>

#include <cstdint>

namespace gdsim {

/// An observer of gdsim's own that knows that runs skip: what repeats is reported to it once and then by its number,
/// and work-groups that only take over the slots of others of their launch, which changes no count, are reported to it
/// many at once, if it wants to know of each.
class SegmentObserver : public Observer {
 public:
  Detail detail() const final { return Detail::everything; }

  /// What `segment` reports, of which every instant was reported before, happens `count` times more, at least once:
  /// each time moved once more by its shift.
  virtual void repeated(const Segment& segment, std::uint64_t count) = 0;
  /// Asked once, when a run begins.
  virtual bool wants_each_work_group() const { return false; }
  /// At instants that were not reported, work-groups have ended, and their slots were reused. Only if it wants to know
  /// of each.
  virtual void on_reuses(const ReusedSlots&) {}
  /// As on_reuses(), for one that only wants to know how many slots were reused.
  virtual void on_reuses_counted(std::uint64_t) {}
};

/// Reports every instant of the repetitions `first` to `last` of the segment, counted from 1, to the observer.
void replay(const Segment& segment, std::uint64_t first, std::uint64_t last, Observer& observer);

}  // namespace gdsim
