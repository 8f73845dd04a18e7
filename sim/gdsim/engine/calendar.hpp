#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace gdsim {

/// Times of a fixed set of members, each of which has exactly one ahead of it: a calendar queue (R. Brown, Calendar
/// queues, CACM 31, 1988). A page holds the members of one day, of whatever year.
///
/// For work of which the same members come again and again, one by one: putting one in and taking the earliest out
/// touch little memory and compare nearly nothing.
class Calendar {
 public:
  static constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

  /// Most times will be put in less than `span` ahead of the earliest.
  Calendar(std::size_t members, std::uint64_t span)
      : times_(members),
        next_(members),
        taken_(members),
        pages_(std::bit_ceil(std::max<std::size_t>(2 * members, kPagesPerWord)), kNobody),
        written_(pages_.size() / kPagesPerWord, 0),
        last_page_(pages_.size() - 1),
        day_bits_(static_cast<unsigned>(std::bit_width(span / pages_.size()))) {}

  /// The member, which is not in the calendar, comes at `time`, which does not lie before any that was taken.
  void put(std::uint32_t member, std::uint64_t time) {
    const std::size_t page = page_of(time >> day_bits_);
    times_[member] = time;
    next_[member] = pages_[page];
    pages_[page] = member;
    written_[page / kPagesPerWord] |= std::uint64_t{1} << page % kPagesPerWord;
  }

  /// Takes the member of the earliest time if nobody else is on its page and that lies before `bound`: the common case,
  /// for which this is meant to be inlined. Else nobody. Everyone must be in the calendar.
  std::uint32_t take_one_before(std::uint64_t bound) {
    turn_to_written_page();
    const std::size_t page = page_of(today_);
    const std::uint32_t member = pages_[page];
    const std::uint64_t time = times_[member];
    if (next_[member] != kNobody || time >> day_bits_ != today_ || time >= bound) return kNobody;
    time_ = time;
    pages_[page] = kNobody;
    erase(page);
    return member;
  }
  /// Takes all members of the earliest time, if that lies before `bound`; else nobody. Everyone must be in the
  /// calendar. Valid until the next call.
  std::span<const std::uint32_t> take_before(std::uint64_t bound) {
    for (std::size_t of_other_years = 0;; ++of_other_years) {
      if (of_other_years == kPatience) today_ = *std::min_element(times_.begin(), times_.end()) >> day_bits_;
      turn_to_written_page();
      const std::uint64_t earliest = earliest_of(page_of(today_));
      if (earliest >> day_bits_ == today_) {
        if (earliest >= bound) return {};
        time_ = earliest;
        return {taken_.data(), take(page_of(today_))};
      }
      ++today_;
    }
  }
  /// Of those who were taken last.
  std::uint64_t time() const { return time_; }
  /// Of a member who is in the calendar.
  std::uint64_t time_of(std::uint32_t member) const { return times_[member]; }

 private:
  static constexpr std::size_t kPagesPerWord = 64;
  /// Pages without anyone of today until it is reckoned which day is next.
  static constexpr std::size_t kPatience = 64;

  std::size_t page_of(std::uint64_t day) const { return static_cast<std::size_t>(day) & last_page_; }

  void turn_to_written_page() {
    const std::size_t page = page_of(today_);
    if (const std::uint64_t rest = written_[page / kPagesPerWord] >> page % kPagesPerWord; rest != 0) {
      today_ += static_cast<std::uint64_t>(std::countr_zero(rest));
      return;
    }
    today_ += kPagesPerWord - page % kPagesPerWord;
    while (written_[page_of(today_) / kPagesPerWord] == 0) today_ += kPagesPerWord;
    today_ += static_cast<std::uint64_t>(std::countr_zero(written_[page_of(today_) / kPagesPerWord]));
  }

  /// The earliest time on the page: of today, if anyone there is.
  std::uint64_t earliest_of(std::size_t page) const {
    std::uint64_t earliest = times_[pages_[page]];
    for (std::uint32_t member = next_[pages_[page]]; member != kNobody; member = next_[member])
      earliest = std::min(earliest, times_[member]);
    return earliest;
  }

  void erase(std::size_t page) { written_[page / kPagesPerWord] &= ~(std::uint64_t{1} << page % kPagesPerWord); }

  /// Everyone on the page whose time has come; how many.
  std::size_t take(std::size_t page) {
    std::size_t count = 0;
    std::uint32_t left = kNobody;
    for (std::uint32_t member = pages_[page]; member != kNobody;) {
      const std::uint32_t next = next_[member];
      if (times_[member] == time_) {
        taken_[count++] = member;
      } else {
        next_[member] = left;
        left = member;
      }
      member = next;
    }
    pages_[page] = left;
    if (left == kNobody) erase(page);
    return count;
  }

  std::vector<std::uint64_t> times_;    ///< by member
  std::vector<std::uint32_t> next_;     ///< by member: the next on its page
  std::vector<std::uint32_t> taken_;    ///< those who were taken last come first
  std::vector<std::uint32_t> pages_;    ///< by day of the year: the first there
  std::vector<std::uint64_t> written_;  ///< a bit per page: someone is there
  std::size_t last_page_;               ///< all bits set
  unsigned day_bits_;                   ///< a day lasts 2 to this power
  std::uint64_t today_ = 0;
  std::uint64_t time_ = 0;
};

}  // namespace gdsim
