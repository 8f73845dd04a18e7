#pragma once

#include <gdsim/engine/horizon_queue.hpp>
#include <gdsim/run/events.hpp>
#include <gdsim/run/life_times.hpp>

#include <algorithm>
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
      if (hand_on_apart(bound, most - handed_on_, note)) continue;
      const HorizonQueue::Entry ending = ends_.first();
      if (ending.time >= bound) break;
      ends_.pop();
      now_ = ending.time;
      if (!ends_.has_more_at(now_)) {
        hand_on(ending.member);
        note(ending.member);
        continue;
      }
      gather(ending.member);
      if (are_apart()) return false;
      for (const std::uint32_t place : together_) {
        hand_on(place);
        note(place);
      }
    }
    return true;
  }

  /// Places that have come free at once on several cores, at now(), by core.
  std::span<const std::uint32_t> together() const { return together_; }
  /// So many of them were given to somebody.
  std::size_t given() const { return given_; }
  /// One of them on this core gets the next work-group.
  void give(CoreId core);

  std::size_t places() const { return places_.size(); }
  /// What does not change of a place.
  const Place& place(std::uint32_t index) const { return places_[index]; }
  Picoseconds now() const { return {static_cast<std::int64_t>(now_)}; }
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

  /// Some who end one after the other: the same as hand_on() for each. False if nobody does.
  template <class Note>
  bool hand_on_apart(std::uint64_t bound, std::uint64_t most, const Note& note) {
    const std::span<const std::uint64_t> lives = lives_.from(next_);
    const auto most_lives = lives.first(std::min<std::uint64_t>(most, lives.size()));
    const std::size_t count = ends_.take_and_put(
        bound, most_lives, [number = next_, numbers = numbers_.data(), &note](std::uint32_t place) mutable {
          numbers[place] = number++;
          note(place);
        });
    if (count == 0) return false;
    next_ += count;
    handed_on_ += count;
    now_ = ends_.last_taken().time;
    last_ = ends_.last_taken().member;
    return true;
  }
  /// When a work-group ends that comes to a place now; kBeyond: not within 63 bits.
  std::uint64_t end_of(std::uint32_t place, std::uint64_t now, std::uint64_t number) {
    const std::uint64_t life = lives_.from(number).front();
    if (life <= kBeyond / 2 - now) [[likely]]
      return now + life;
    endless_.push_back({place, now});
    return kBeyond;
  }
  void gather(std::uint32_t first);
  bool are_apart() const;
  void hand_on(std::uint32_t place) {
    numbers_[place] = next_;
    ends_.put(end_of(place, now_, next_), place);
    last_ = place;
    ++next_;
    ++handed_on_;
  }

  std::vector<Place> places_;
  LifeTimes lives_;
  std::uint64_t next_;
  std::uint64_t now_;
  HorizonQueue ends_;
  std::vector<std::uint64_t> numbers_;  ///< by place: of who is there
  std::vector<std::uint32_t> together_;
  std::vector<std::uint32_t> given_on_;  ///< by position in together_, of the first on its core: how many there
  std::size_t given_ = 0;
  std::vector<Endless> endless_;
  std::uint64_t handed_on_ = 0;
  std::uint32_t last_ = 0;
};

}  // namespace gdsim
