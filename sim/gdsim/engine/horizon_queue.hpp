#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

/// Who comes when, earliest first. What lies before a horizon is sorted at once and read off; what lies behind it waits
/// unsorted; what comes late, after the sorting but for a time before the horizon, goes to a heap.
///
/// For members that come again and again, after times that are alike: then hardly anyone is late, and an entry costs a
/// few linear passes. The horizon comes nearer if many are late and goes further if few lie before it, so that an entry
/// never costs much more than a heap's.
class HorizonQueue {
 public:
  struct Entry {
    Entry() = default;
    Entry(std::uint64_t at, std::uint32_t who) : time(at), member(who) {}

    std::uint64_t time = 0;
    std::uint32_t member = 0;
  };

  bool empty() const { return at_ == sorted_.size() && late_.empty() && far_.empty(); }

  /// `time` does not lie before any that was taken.
  void put(std::uint64_t time, std::uint32_t member) {
    if (time >= horizon_) {
      far_.emplace_back(time, member);  // in its place: a copy of 16 bytes would wait for its halves
    } else {
      put_late({time, member});
    }
  }
  /// The earliest; there must be one. Of those of one time, any.
  const Entry& first() {
    if (at_ < sorted_.size() && late_.empty()) [[likely]]
      return sorted_[at_];
    if (at_ == sorted_.size() && late_.empty()) advance();
    return late_is_first() ? late_.front() : sorted_[at_];
  }
  /// Takes out who is first().
  void pop() {
    if (late_.empty() || !late_is_first()) {
      ++at_;
    } else {
      pop_late();
    }
  }
  /// Someone else comes at `time`, that of whom was taken last.
  bool has_more_at(std::uint64_t time) const {
    return (at_ < sorted_.size() && sorted_[at_].time == time) || (!late_.empty() && late_.front().time == time);
  }
  /// Everyone who is in it, in any order.
  template <class Visit>
  void visit(Visit visit) const {
    for (std::size_t i = at_; i < sorted_.size(); ++i) visit(sorted_[i]);
    for (const Entry& entry : late_) visit(entry);
    for (const Entry& entry : far_) visit(entry);
  }

 private:
  static constexpr auto kEarlier = [](const Entry& a, const Entry& b) { return a.time < b.time; };
  static constexpr auto kLater = [](const Entry& a, const Entry& b) { return b.time < a.time; };

  bool late_is_first() const {
    return !late_.empty() && (at_ == sorted_.size() || late_.front().time < sorted_[at_].time);
  }
  void put_late(const Entry& entry);
  void pop_late();
  void advance();
  void draw_back();
  void set_width(std::uint64_t first);
  void sort(std::uint64_t first, std::uint64_t last);

  std::uint64_t horizon_ = 0;
  std::uint64_t width_ = 0;    ///< from the first to the horizon; 0: not known yet
  std::vector<Entry> sorted_;  ///< from `at_` on
  std::size_t at_ = 0;
  std::vector<Entry> late_;     ///< a heap
  std::size_t late_count_ = 0;  ///< since the horizon was moved
  std::vector<Entry> far_;
  std::vector<Entry> spare_;              ///< to sort into
  std::vector<std::uint32_t> part_ends_;  ///< of what is sorted
};

}  // namespace gdsim
