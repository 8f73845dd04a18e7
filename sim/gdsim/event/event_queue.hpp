#pragma once

#include <gdsim/base/check.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/event/event_fifo.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace gdsim {

/// Future events in the order (time, rank, sequence of scheduling).
///
/// Events of one rank that are scheduled in the order of their times, as events with a constant delay are, wait in an
/// EventFifo and are not moved until they are due. All others are in a radix heap over integer time: an event is in the
/// bucket of the highest bit in which its time differs from now(). So simultaneous events always share a bucket and are
/// moved together, and equal times keep the order of scheduling without a stored sequence number. When time reaches a
/// bucket, its events move on to lower buckets. tests/benchmark/event_queue_benchmark.cpp compares this with other
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

  EventQueue() { earliest_.fill(kNever); }

  SimTime now() const { return {static_cast<std::int64_t>(now_)}; }
  bool empty() const { return next_pending() == kNever && occupied_ranks_ == 0; }

  /// Schedules the event. `at` must not be before now(). At now() itself, the event joins the current instant.
  void schedule(SimTime at, const Event& event) {
    GDSIM_CHECK(at >= now(), "an event was scheduled in the past");
    put({static_cast<std::uint64_t>(at.count), event});
  }

  /// Schedules the event at now().
  void schedule_now(const Event& event) { put_now(event); }

  /// Returns the time of the earliest event after now(), or nullopt if there is none.
  std::optional<SimTime> next_time() const {
    const std::uint64_t next = next_pending();
    return next == kNever ? std::nullopt : std::optional(SimTime{static_cast<std::int64_t>(next)});
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
    // Only events of this bucket share a longer prefix of bits with the new time than with the old one. Lower buckets
    // are empty.
    const auto bucket = static_cast<std::size_t>(std::bit_width(time ^ now_)) - 1;
    now_ = time;
    // Events in a FIFO were scheduled before others of the same rank and time.
    if (next_in_fifos_ == time) take_from_fifos();
    if ((occupied_buckets_ >> bucket & 1U) == 0) return;
    occupied_buckets_ &= ~(std::uint64_t{1} << bucket);
    earliest_[bucket] = kNever;
    move_on(bucket);
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
    if (fifos_[event.rank()].erase(entry)) return find_next_in_fifos();
    const auto number = static_cast<std::size_t>(std::bit_width(time ^ now_)) - 1;
    auto& bucket = buckets_[number];
    const auto found = std::find_if(bucket.rbegin(), bucket.rend(), [&](const Entry& one) { return one == entry; });
    GDSIM_CHECK(found != bucket.rend(), "an event was cancelled that was not scheduled");
    bucket.erase(std::next(found).base());
    if (time == earliest_[number]) find_earliest(number);
  }

 private:
  static constexpr std::uint64_t kNever = kNoEvent;

  using Entry = EventEntry<Event>;
  using Fifo = EventFifo<Event>;

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
  std::uint64_t next_pending() const {
    if (occupied_buckets_ == 0) return next_in_fifos_;
    return std::min(next_in_fifos_, earliest_[static_cast<std::size_t>(std::countr_zero(occupied_buckets_))]);
  }

  void find_next_in_fifos() {
    next_in_fifos_ = kNever;
    for (const Fifo& fifo : fifos_) next_in_fifos_ = std::min(next_in_fifos_, fifo.next());
  }
  void find_earliest(std::size_t bucket) {
    earliest_[bucket] = kNever;
    for (const Entry& entry : buckets_[bucket]) earliest_[bucket] = std::min(earliest_[bucket], entry.time);
    if (buckets_[bucket].empty()) occupied_buckets_ &= ~(std::uint64_t{1} << bucket);
  }

  /// Empties a bucket that time has reached: due events join now(), the others move on to lower buckets.
  void move_on(std::size_t bucket) {
    for (const Entry& entry : buckets_[bucket]) {
      if (entry.time == now_) {
        put_now(entry.event);
      } else {
        put_in_bucket(entry);
      }
    }
    buckets_[bucket].clear();
  }
  /// Takes the due events of a FIFO. Returns true if the FIFO has more events.
  bool take_due(Fifo& fifo) {
    std::uint64_t next = fifo.next();
    for (; next == now_; next = fifo.next()) put_now(fifo.pop());
    next_in_fifos_ = std::min(next_in_fifos_, next);
    return next != kNever;
  }
  void take_from_fifos() {
    next_in_fifos_ = kNever;
    for (std::uint64_t left = occupied_fifos_; left != 0; left &= left - 1) {
      const auto rank = static_cast<std::size_t>(std::countr_zero(left));
      if (!take_due(fifos_[rank])) occupied_fifos_ ^= std::uint64_t{1} << rank;
    }
  }
  void put(const Entry& entry) {
    const std::size_t rank = entry.event.rank();
    if (entry.time == now_) return put_now(entry.event);
    if (!fifos_[rank].takes(entry.time)) return put_in_bucket(entry);
    fifos_[rank].push(entry);
    occupied_fifos_ |= std::uint64_t{1} << rank;
    next_in_fifos_ = std::min(next_in_fifos_, entry.time);
  }
  void put_in_bucket(const Entry& entry) {
    const auto bucket = static_cast<std::size_t>(std::bit_width(entry.time ^ now_)) - 1;
    buckets_[bucket].push_back(entry);
    if (entry.time < earliest_[bucket]) earliest_[bucket] = entry.time;
    occupied_buckets_ |= std::uint64_t{1} << bucket;
  }
  void put_now(const Event& event) {
    at_now_[event.rank()].add(event);
    occupied_ranks_ |= std::uint64_t{1} << event.rank();
  }

  std::uint64_t now_ = 0;
  std::uint64_t occupied_fifos_ = 0;  ///< FIFOs with events
  std::uint64_t next_in_fifos_ = kNever;
  std::uint64_t occupied_buckets_ = 0;
  std::uint64_t occupied_ranks_ = 0;
  std::array<Fifo, Ranks> fifos_;
  std::array<std::uint64_t, 64> earliest_{};
  std::array<std::vector<Entry>, 64> buckets_;
  std::array<Pending, Ranks> at_now_;
};

}  // namespace gdsim
