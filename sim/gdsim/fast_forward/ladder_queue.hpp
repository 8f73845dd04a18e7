#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace gdsim {

/// A priority queue of members by time, earliest first. Entries before a horizon are sorted together and then taken in
/// order; entries beyond it are unsorted; late entries (put for a time before the horizon after the sorting) are in a
/// heap.
///
/// It suits members that are put again and again after similar delays: few entries are late, and each entry takes part
/// in a few linear passes. The horizon moves nearer if many entries are late, and further away if few are before it. So
/// an entry never costs much more than in a heap.
class LadderQueue {
 public:
  struct Entry {
    std::uint64_t time = 0;
    std::uint32_t member = 0;
  };

  /// Members are numbers below `members`. Each may be in the queue at most once.
  explicit LadderQueue(std::uint32_t members);

  bool empty() const { return at_ == sorted_count_ && late_.empty() && far_count_ == 0 && overflow_.empty(); }

  /// Adds an entry. `time` must not be before the time of a removed entry or of the last first().
  void put(std::uint64_t time, std::uint32_t member) {
    if (time - horizon_ <= reach_behind_horizon()) {
      far_[far_count_++] = key(time, member);
    } else {
      put_aside(time, member);
    }
  }
  /// Returns the earliest entry, or any of them if there are several. The queue must not be empty.
  Entry first() {
    if (at_ == sorted_count_ && late_.empty()) advance();
    return entry(late_is_first() ? late_.front() : sorted_[at_]);
  }
  /// Removes first().
  void pop() {
    if (late_is_first()) {
      pop_late();
    } else {
      ++at_;
    }
  }
  /// Returns true if there is another entry at `time`, the time of the entry taken last.
  bool has_more_at(std::uint64_t time) const {
    return (at_ < sorted_count_ && time_of(sorted_[at_]) == time) || (!late_.empty() && time_of(late_.front()) == time);
  }
  /// Takes entries one after the other, calls `note(entry)`, and puts each back after its delay in `delays`. Stops
  /// after `delays.size()` entries, before the time `bound`, and before an entry that shares its time with others or is
  /// not next in the sorted ones: such an entry must be taken by first(). Returns the number of taken entries; the last
  /// of them is last_taken().
  template <class Note>
  std::size_t take_and_put(std::uint64_t bound, std::span<const std::uint64_t> delays, Note note);
  Entry last_taken() const { return entry(sorted_[at_ - 1]); }
  /// Returns the number of keys examined in passes and compared in heaps so far, a cost that is equal on all machines.
  std::uint64_t work() const { return work_; }
  /// Visits all entries, in any order.
  template <class Visit>
  void visit(Visit visit) const {
    for (std::size_t i = at_; i < sorted_count_; ++i) visit(entry(sorted_[i]));
    for (const Key late : late_) visit(entry(late));
    for (std::size_t i = 0; i < far_count_; ++i) visit(entry(far_[i]));
    for (const Entry& entry : overflow_) visit(entry);
  }

 private:
  /// The distance of a time from base_, with the member in the lowest bits. Keys are in order of time.
  using Key = std::uint64_t;
  static constexpr Key kNone = std::numeric_limits<Key>::max();

  Key key(std::uint64_t time, std::uint32_t member) const { return (time - base_) << member_bits_ | member; }
  std::uint64_t time_of(Key key) const { return base_ + (key >> member_bits_); }
  Entry entry(Key key) const {
    return {time_of(key), static_cast<std::uint32_t>(key & ((Key{1} << member_bits_) - 1))};
  }
  /// Returns a bound such that the smaller keys are exactly those of times before `time`.
  Key first_key_at(std::uint64_t time) const {
    if (time <= base_) return 0;
    return time - base_ <= reach_ ? (time - base_) << member_bits_ : kNone;
  }
  std::uint64_t reach_behind_horizon() const { return reach_ - (horizon_ - base_); }

  bool late_is_first() const { return !late_.empty() && (at_ == sorted_count_ || late_.front() < sorted_[at_]); }
  void put_aside(std::uint64_t time, std::uint32_t member);
  void pop_late();
  void advance();
  void draw_back();
  void set_width();
  void move_base(std::uint64_t time);
  std::uint64_t first_far();
  void part(Key start);
  void sort(Key start);
  void sort_by_digits(Key start, unsigned from, unsigned to);
  bool mend();

  /// Returns the maximum distance that the horizon moves at once. base_ follows if the horizon is further away than
  /// this. So keys can represent the horizon, and times up to half a reach beyond it.
  std::uint64_t max_width() const { return reach_ / 4; }

  unsigned member_bits_;
  std::uint64_t reach_;  ///< the largest distance from base_ that fits into a key; keys leave the highest bit free
  std::uint64_t base_ = 0;
  std::uint64_t horizon_ = 0;
  std::uint64_t width_ = 0;  ///< time span that is sorted at once; 0: not known yet
  std::vector<Key> sorted_;  ///< the entries from `at_` on, followed by kNone
  std::size_t at_ = 0;
  std::size_t sorted_count_ = 0;
  std::vector<Key> late_;       ///< a heap
  std::size_t late_count_ = 0;  ///< number of late entries since the horizon was moved
  std::vector<Key> far_;        ///< beyond the horizon
  std::size_t far_count_ = 0;
  std::vector<Entry> overflow_;  ///< times that do not fit into a key: a heap
  std::vector<Key> spare_;       ///< the sort's target, as large as sorted_
  std::uint64_t work_ = 0;
};

template <class Note>
std::size_t LadderQueue::take_and_put(std::uint64_t bound, std::span<const std::uint64_t> delays, Note note) {
  const Key until = std::min(first_key_at(bound), late_.empty() ? kNone : first_key_at(time_of(late_.front())));
  const Key horizon = first_key_at(horizon_);
  const std::uint64_t max = reach_ / 2;  // after delays up to this, times of sorted entries still fit into keys
  const unsigned bits = member_bits_;
  const Key members = (Key{1} << bits) - 1;
  const Key* at = sorted_.data() + at_;
  Key* far = far_.data() + far_count_;
  for (const std::uint64_t delay : delays) {
    const Key again = *at + (delay << bits);  // not used at the end of the sorted keys (kNone), or if delay > max
    if (*at >= until || (at[0] ^ at[1]) <= members || delay > max || again < horizon) break;
    note(entry(*at++));
    *far++ = again;
  }
  const auto taken = static_cast<std::size_t>(at - sorted_.data()) - at_;
  at_ += taken;
  far_count_ += taken;
  return taken;
}

}  // namespace gdsim
