#pragma once

#include <gdsim/fast_forward/group_durations.hpp>
#include <gdsim/fast_forward/ladder_queue.hpp>
#include <gdsim/model/events.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

/// The resources that a work-group holds on one core, and that the next work-group of its launch takes over.
struct Slot {
  GroupIndex group{};
  CohortIndex cohort{};
  CoreId core{};
  std::uint64_t number = 0;  ///< number of the resident work-group
  std::uint64_t since = 0;   ///< time at which it began, picoseconds
  std::uint64_t end = 0;     ///< time at which it will end, picoseconds
};

/// Work-groups of one launch that reuse each other's slots while no other event occurs.
class SlotReuse {
 public:
  /// `slots` must not be empty, and its work-groups must end after `now`. The next work-group has the number `next`.
  SlotReuse(std::vector<Slot> slots, GroupDurations durations, std::uint64_t next, SimTime now);

  /// Reuses slots until no work-group ends before `bound` (picoseconds), or `max` slots have been reused. Calls
  /// `note(slot, time, number)` for each slot, in which the work-group `number` ended. Returns false if work-groups on
  /// several cores end at once: then the caller must choose the cores of the next work-groups and call assign() for the
  /// slots together().
  template <class Note>
  bool advance(std::uint64_t bound, std::uint64_t max, const Note& note) {
    while (reused_ < max) {
      if (reuse_one_by_one(bound, max - reused_, note)) continue;
      const LadderQueue::Entry ending = ends_.first();
      if (ending.time >= bound) break;
      ends_.pop();
      now_ = ending.time;
      if (!ends_.has_more_at(now_)) {
        reuse(ending.member, note);
        continue;
      }
      gather(ending.member);
      if (are_on_several_cores()) return false;
      for (const std::uint32_t slot : together_) reuse(slot, note);
    }
    return true;
  }

  /// Returns the slots on several cores that became free at now(), by core.
  std::span<const std::uint32_t> together() const { return together_; }
  /// Returns the number of slots of together() that have been reused.
  std::size_t assigned() const { return assigned_; }
  /// Assigns the next work-group to one of the slots together() on this core. Calls `note` as advance() does.
  template <class Note>
  void assign(CoreId core, const Note& note) {
    reuse(next_together(core), note);
    ++assigned_;
  }

  std::size_t slots() const { return slots_.size(); }
  /// Returns a slot. Only its group, cohort and core are up to date.
  const Slot& slot(std::uint32_t index) const { return slots_[index]; }
  SimTime now() const { return {static_cast<std::int64_t>(now_)}; }
  std::uint64_t count() const { return reused_; }
  /// Returns the number of the next work-group.
  std::uint64_t next() const { return next_; }
  /// Returns the core on which a slot was reused last.
  CoreId last_core() const { return slots_[last_].core; }
  /// Returns the slots with their current work-groups. Must be called at most once, at the end.
  std::vector<Slot> take_slots();

 private:
  /// A work-group whose end exceeds 63 bits.
  struct Endless {
    std::uint32_t slot;
    std::uint64_t since;
  };

  /// Reuses slots one after the other, with the effect of reuse() for each. Returns true if it reused any.
  template <class Note>
  bool reuse_one_by_one(std::uint64_t bound, std::uint64_t max, const Note& note) {
    const std::span<const std::uint64_t> durations = durations_.from(next_);
    const auto max_durations = durations.first(std::min<std::uint64_t>(max, durations.size()));
    const std::size_t count = ends_.take_and_put(
        bound, max_durations, [number = next_, numbers = numbers_.data(), &note](LadderQueue::Entry ending) mutable {
          note(ending.member, ending.time, std::exchange(numbers[ending.member], number++));
        });
    if (count == 0) return false;
    next_ += count;
    reused_ += count;
    now_ = ends_.last_taken().time;
    last_ = ends_.last_taken().member;
    return true;
  }
  /// Returns the end of a work-group that takes a slot at `now`, or kTimeOverflow if that exceeds 63 bits.
  std::uint64_t end_of(std::uint32_t slot, std::uint64_t now, std::uint64_t number) {
    const std::uint64_t duration = durations_.from(number).front();
    if (duration <= kTimeOverflow / 2 - now) [[likely]]
      return now + duration;
    endless_.push_back({slot, now});
    return kTimeOverflow;
  }
  void gather(std::uint32_t first);
  bool are_on_several_cores() const;
  std::uint32_t next_together(CoreId core);
  template <class Note>
  void reuse(std::uint32_t slot, const Note& note) {
    note(slot, now_, std::exchange(numbers_[slot], next_));
    ends_.put(end_of(slot, now_, next_), slot);
    last_ = slot;
    ++next_;
    ++reused_;
  }

  std::vector<Slot> slots_;
  GroupDurations durations_;
  std::uint64_t next_;
  std::uint64_t now_;
  LadderQueue ends_;
  std::vector<std::uint64_t> numbers_;  ///< by slot: the number of its work-group
  std::vector<std::uint32_t> together_;
  /// At the position in together_ of the first slot on a core: the number of assigned slots on this core.
  std::vector<std::uint32_t> assigned_on_;
  std::size_t assigned_ = 0;
  std::vector<Endless> endless_;
  std::uint64_t reused_ = 0;
  std::uint32_t last_ = 0;
};

}  // namespace gdsim
