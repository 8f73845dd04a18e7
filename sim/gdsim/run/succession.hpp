#pragma once

#include <gdsim/engine/calendar.hpp>
#include <gdsim/run/events.hpp>
#include <gdsim/run/life_times.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// What a work-group holds, all of it on one core, and hands to the next of its launch when it ends.
struct Place {
  GroupIndex group{};
  CohortIndex cohort{};
  CoreId core{};
  std::uint64_t number = 0;  ///< of the work-group that is there
  std::uint64_t since = 0;   ///< when it began, picoseconds
  std::uint64_t end = 0;     ///< when it will end, picoseconds
};

/// Work-groups of one launch that follow each other in their places while nothing else happens.
class Succession {
 public:
  /// At least one place; all end after `now`. The work-group `next` will be the first to come.
  Succession(std::vector<Place> places, LifeTimes lives, std::uint64_t next, Picoseconds now);

  /// Places are handed on, `note(place)` being told of each, until the next to end would not do so before `bound`
  /// (picoseconds), or `most` have been. False if work-groups on several cores end at once: they are together(), and
  /// whoever places the next gives their places on.
  template <class Note>
  bool go_on(std::uint64_t bound, std::uint64_t most, Note note) {
    while (handed_on_ < most) {
      if (const std::uint32_t place = ends_.take_one_before(bound); place != Calendar::kNobody) {
        hand_on(place);
        note(place);
        continue;
      }
      const auto ending = ends_.take_before(bound);
      if (ending.empty()) return true;
      if (ending.size() > 1 && are_apart(ending)) return false;
      for (const std::uint32_t place : ending) {
        hand_on(place);
        note(place);
      }
    }
    return true;
  }

  /// Places that have come free at once on several cores, at now(), and were not given to anybody yet.
  std::span<const std::uint32_t> together() const { return together_; }
  /// One of them on this core gets the next work-group.
  void give(CoreId core);

  /// What does not change of a place.
  const Place& place(std::uint32_t index) const { return places_[index]; }
  Picoseconds now() const { return {static_cast<std::int64_t>(ends_.time())}; }
  std::uint64_t handed_on() const { return handed_on_; }
  /// Where a place was handed on last.
  CoreId last_core() const { return places_[last_].core; }
  /// The places, and who is there now. Ask once, at the end.
  std::vector<Place> take_places();

 private:
  /// Someone who does not end within 64 bits.
  struct Endless {
    std::uint32_t place;
    std::uint64_t since;
  };

  bool are_apart(std::span<const std::uint32_t> ending);
  void hand_on(std::uint32_t place) {
    const std::uint64_t number = next_++;
    numbers_[place] = number;
    last_ = place;
    ++handed_on_;
    const std::uint64_t life = lives_.of(number);
    if (life <= kBeyond / 2 - ends_.time()) {
      ends_.put(place, ends_.time() + life);
    } else {
      endless_.push_back({place, ends_.time()});
      ends_.put(place, kBeyond);
    }
  }

  std::vector<Place> places_;
  LifeTimes lives_;
  std::uint64_t next_;
  Calendar ends_;
  std::vector<std::uint64_t> numbers_;  ///< by place: of who is there
  std::vector<std::uint32_t> together_;
  std::vector<Endless> endless_;
  std::uint64_t handed_on_ = 0;
  std::uint32_t last_ = 0;
};

}  // namespace gdsim
