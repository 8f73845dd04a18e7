#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace gdsim {

/// Later than any event.
inline constexpr std::uint64_t kNoEvent = std::numeric_limits<std::uint64_t>::max();

/// An event and its time in picoseconds.
template <class Event>
struct EventEntry {
  std::uint64_t time;
  Event event;
  friend bool operator==(const EventEntry&, const EventEntry&) = default;
};

/// A first-in, first-out queue of events of one rank, sorted by time. An event earlier than the last one appended goes
/// into the buckets of EventQueue instead.
template <class Event>
class EventFifo {
  using Entry = EventEntry<Event>;

 public:
  bool empty() const { return first_ == entries_.size(); }
  std::uint64_t next() const { return empty() ? kNoEvent : entries_[first_].time; }
  Event pop() { return entries_[first_++].event; }
  /// Removes the entry. Returns true if it was in the FIFO. Searches the entries of its time from both ends.
  bool erase(const Entry& entry) {
    const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(first_);
    auto [low, high] =
        std::equal_range(first, entries_.end(), entry, [](const Entry& a, const Entry& b) { return a.time < b.time; });
    for (; low != high; ++low) {
      if (*low == entry) return erase_at(low);
      if (*--high == entry) return erase_at(high);
      if (low == high) return false;
    }
    return false;
  }
  bool takes(std::uint64_t time) const { return time >= latest_; }
  /// Appends the entry. takes() must return true for its time.
  void push(const Entry& entry) {
    // If more than half of the entries are popped, drops them instead of growing.
    if (entries_.size() == entries_.capacity() && first_ > entries_.size() / 2) drop_popped();
    entries_.push_back(entry);
    latest_ = entry.time;
  }

 private:
  /// Removes one entry. Moves the entries before it or those after it, whichever are fewer. Returns true.
  bool erase_at(typename std::vector<Entry>::iterator at) {
    const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(first_);
    if (at - first < entries_.end() - at) {
      std::move_backward(first, at, at + 1);
      ++first_;
    } else {
      entries_.erase(at);
    }
    return true;
  }
  void drop_popped() {
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

  std::vector<Entry> entries_;  ///< entries before first_ are popped
  std::size_t first_ = 0;
  std::uint64_t latest_ = 0;  ///< the time of the last entry that was appended
};

}  // namespace gdsim
