#pragma once

#include <gdsim/base/check.hpp>
#include <gdsim/base/quantity.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace gdsim {

/// Future events in the order (time, rank, sequence of scheduling).
///
/// Pending events are in a radix heap over integer time: an event is in the bucket of the highest digit in which its
/// time differs from now(), and of this digit's value. So simultaneous events always share a bucket and are moved
/// together, and equal times keep the order of scheduling without a stored sequence number. When time reaches a bucket,
/// its events move on to buckets of lower digits. tests/benchmark/event_queue_benchmark.cpp compares this with other
/// queues: a GPU has many simultaneous events, and time never goes back.
///
/// `Event` must be trivially copyable, have at most 16 bytes, and have `rank()`, a number below `Ranks`. Nothing is
/// allocated once the buffers have grown to the maximum number of pending events. Not thread-safe.
template <class Event, std::size_t Ranks>
class EventQueue {
  static_assert(std::is_trivially_copyable_v<Event> && sizeof(Event) <= 16);

 public:
  /// All events of one rank at one instant, in the order in which they were scheduled.
  /// Valid until the next pop_rank() of this rank.
  struct Batch {
    std::size_t rank;
    std::span<const Event> events;
  };

  SimTime now() const { return {static_cast<std::int64_t>(now_)}; }
  bool empty() const { return next_ == kNever && occupied_ranks_ == 0; }

  /// Schedules the event. `at` must not be before now(). At now() itself, the event joins the current instant.
  void schedule(SimTime at, const Event& event) {
    GDSIM_CHECK(at >= now(), "an event was scheduled in the past");
    if (at == now()) return put_now(event);
    const Entry entry{static_cast<std::uint64_t>(at.count), event};
    put_in_bucket(entry);
    next_ = std::min(next_, entry.time);
  }

  /// Schedules the event at now().
  void schedule_now(const Event& event) { put_now(event); }

  /// Returns the time of the earliest event after now(), or nullopt if there is none.
  std::optional<SimTime> next_time() const {
    return next_ == kNever ? std::nullopt : std::optional(SimTime{static_cast<std::int64_t>(next_)});
  }

  /// Moves now() to the earliest pending event. Returns true if there is one. The previous instant must be over.
  bool next_instant() {
    const std::optional<SimTime> next = next_time();
    if (next) move_to(*next);
    return next.has_value();
  }

  /// Moves now() to `at`, which must be after now() and not after next_time(). The previous instant must be over.
  void move_to(SimTime at) {
    GDSIM_CHECK(instant_is_over() && at > now(),
                "time moved on while events of this instant were pending, or not at all");
    const auto time = static_cast<std::uint64_t>(at.count);
    // Only events of this bucket have more digits in common with the new time than with the old one. There are none of
    // lower digits.
    const Place place = place_of(time);
    now_ = time;
    if (is_occupied(place)) move_on(place);
    if (time == next_) next_ = find_next();
  }

  /// Returns true if no event is left at now().
  bool instant_is_over() const { return occupied_ranks_ == 0; }

  /// The lowest rank that has events at now(). The instant must not be over.
  std::size_t lowest_rank() const { return static_cast<std::size_t>(std::countr_zero(occupied_ranks_)); }

  /// Takes all events of the lowest rank at now(). Events scheduled at now() meanwhile form later batches. The instant
  /// must not be over.
  Batch pop_rank() {
    const std::size_t rank = lowest_rank();
    occupied_ranks_ &= ~(std::uint64_t{1} << rank);
    return {rank, at_now_[rank].take()};
  }
  /// Removes an event that was scheduled for `at`, which must be after now(). The cost grows with the number of events
  /// that were scheduled after it for about the same time.
  void cancel(SimTime at, const Event& event) {
    GDSIM_CHECK(at > now(), "an event was cancelled that is not to come");
    const auto time = static_cast<std::uint64_t>(at.count);
    const Entry entry{time, event};
    const Place place = place_of(time);
    Bucket& bucket = bucket_at(place);
    const auto found = std::find(bucket.entries.rbegin(), bucket.entries.rend(), entry);
    GDSIM_CHECK(found != bucket.entries.rend(), "an event was cancelled that was not scheduled");
    bucket.entries.erase(std::next(found).base());
    bucket.find_earliest();
    if (bucket.entries.empty()) mark_empty(place);
    next_ = find_next();
  }

 private:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
  static constexpr unsigned kDigitBits = 6;
  static constexpr std::size_t kDigitValues = std::size_t{1} << kDigitBits;  // at most as many as a word has bits
  static constexpr std::size_t kDigits = 63 / kDigitBits + 1;

  /// An event and its time in picoseconds.
  struct Entry {
    std::uint64_t time;
    Event event;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  struct Bucket {
    std::uint64_t earliest = kNever;
    std::vector<Entry> entries;

    void find_earliest() {
      earliest = kNever;
      for (const Entry& entry : entries) earliest = std::min(earliest, entry.time);
    }
  };
  /// The position of a bucket.
  struct Place {
    std::size_t digit;  ///< from the lowest, 0
    std::size_t value;
  };

  /// Events of one rank at now(). Taken events stay in place while more are added.
  class Pending {
   public:
    void add(const Event& event) { lists_[current_].push_back(event); }
    std::span<const Event> take() {
      const std::vector<Event>& taken = lists_[current_];
      current_ ^= 1U;
      lists_[current_].clear();
      return taken;
    }

   private:
    std::array<std::vector<Event>, 2> lists_;
    std::size_t current_ = 0;
  };

  /// Returns the time of the earliest event after now(), or kNever if there is none.
  std::uint64_t find_next() const {
    if (occupied_digits_ == 0) return kNever;
    const auto digit = static_cast<std::size_t>(std::countr_zero(occupied_digits_));
    const auto value = static_cast<std::size_t>(std::countr_zero(occupied_values_[digit]));
    return buckets_[digit * kDigitValues + value].earliest;
  }

  /// Returns the bucket of a time after now(). The lowest bit selects no digit; setting it saves a comparison with 0.
  Place place_of(std::uint64_t time) const {
    const unsigned bit = 63U ^ static_cast<unsigned>(std::countl_zero((time ^ now_) | 1U));
    const unsigned digit = bit / kDigitBits;
    return {digit, static_cast<std::size_t>(time >> digit * kDigitBits & (kDigitValues - 1))};
  }
  Bucket& bucket_at(Place place) { return buckets_[place.digit * kDigitValues + place.value]; }
  bool is_occupied(Place place) const { return (occupied_values_[place.digit] >> place.value & 1U) != 0; }
  void mark_empty(Place place) {
    occupied_values_[place.digit] &= ~(std::uint64_t{1} << place.value);
    if (occupied_values_[place.digit] == 0) occupied_digits_ &= ~(std::uint64_t{1} << place.digit);
  }

  /// Empties a bucket that time has reached: due events join now(), the others move on to lower digits.
  void move_on(Place place) {
    Bucket& bucket = bucket_at(place);
    mark_empty(place);
    bucket.earliest = kNever;
    for (const Entry& entry : bucket.entries) {
      if (entry.time == now_) {
        put_now(entry.event);
      } else {
        put_in_bucket(entry);
      }
    }
    bucket.entries.clear();
  }
  void put_in_bucket(const Entry& entry) {
    const Place place = place_of(entry.time);
    Bucket& bucket = bucket_at(place);
    bucket.entries.push_back(entry);
    bucket.earliest = std::min(bucket.earliest, entry.time);
    occupied_values_[place.digit] |= std::uint64_t{1} << place.value;
    occupied_digits_ |= std::uint64_t{1} << place.digit;
  }
  void put_now(const Event& event) {
    at_now_[event.rank()].add(event);
    occupied_ranks_ |= std::uint64_t{1} << event.rank();
  }

  std::uint64_t now_ = 0;
  std::uint64_t next_ = kNever;        ///< the time of the earliest event after now_
  std::uint64_t occupied_digits_ = 0;  ///< digits with a bucket that is not empty
  std::uint64_t occupied_ranks_ = 0;
  std::array<std::uint64_t, kDigits> occupied_values_{};  ///< by digit
  std::array<Bucket, kDigits * kDigitValues> buckets_;    ///< by digit, then value
  std::array<Pending, Ranks> at_now_;
};

}  // namespace gdsim
