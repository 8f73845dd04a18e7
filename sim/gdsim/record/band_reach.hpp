#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/record/phase_profile.hpp>
#include <gdsim/record/phases.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

namespace gdsim {

/// Bounds the end of a band: each of its counts of threads is within half a band's height of their mean, so no two
/// counts differ by more than the height. Calls with ascending `begin` visit each item only once.
class BandReach {
 public:
  /// Bounds bands of items before `end`. All arguments must outlive this.
  BandReach(std::span<const ProfileItem> items, std::size_t end, const PhaseRules& rules)
      : items_(items), end_(end), rules_(rules) {}

  /// Returns an item that no band beginning with item `begin` contains, nor any later item. `begin` must not decrease.
  std::size_t max_end(std::size_t begin) {
    while (!lowest_.empty() && lowest_.front() < begin) lowest_.pop_front();
    while (!highest_.empty() && highest_.front() < begin) highest_.pop_front();
    if (next_ < begin) next_ = begin;
    while (next_ < end_ && is_within(items_[next_])) take(next_++);
    return next_;
  }

 private:
  bool is_within(const ProfileItem& item) const {
    const std::uint64_t lowest =
        lowest_.empty() ? item.min_resident : std::min(item.min_resident, items_[lowest_.front()].min_resident);
    const std::uint64_t highest =
        highest_.empty() ? item.max_resident : std::max(item.max_resident, items_[highest_.front()].max_resident);
    return UInt128{highest - lowest} * rules_.band.denominator <= 2 * UInt128{rules_.contexts} * rules_.band.numerator;
  }

  void take(std::size_t i) {
    while (!lowest_.empty() && items_[lowest_.back()].min_resident >= items_[i].min_resident) lowest_.pop_back();
    while (!highest_.empty() && items_[highest_.back()].max_resident <= items_[i].max_resident) highest_.pop_back();
    lowest_.push_back(i);
    highest_.push_back(i);
  }

  std::span<const ProfileItem> items_;
  std::size_t end_;
  const PhaseRules& rules_;
  std::size_t next_ = 0;             ///< the position after the last item taken
  std::deque<std::size_t> lowest_;   ///< taken items, each with lower counts than later ones
  std::deque<std::size_t> highest_;  ///< taken items, each with higher counts than later ones
};

}  // namespace gdsim
