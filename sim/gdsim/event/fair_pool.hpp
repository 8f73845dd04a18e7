#pragma once

#include <gdsim/base/arithmetic.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/event/heaps.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {

/// Work in units of 2^-20 (of a picosecond of service, or of a byte).
using FixedPoint = UInt128;
inline constexpr int kFixedBits = 20;
inline constexpr FixedPoint to_fixed_point(std::int64_t work) { return static_cast<FixedPoint>(work) << kFixedBits; }
/// Whole units, at most 2^63 - 1 of them.
inline constexpr std::int64_t rounded_down(FixedPoint work) { return static_cast<std::int64_t>(work >> kFixedBits); }
inline constexpr std::int64_t rounded_up(FixedPoint work) { return rounded_down(work + to_fixed_point(1) - 1); }

/// A rate at which a pool serves each of its members, per picosecond.
///
/// What members have received is read from a virtual clock: a sum of work_in() over the times between the instants at
/// which the pool advances. Each advance rounds it up by less than 2^-20 of a unit. So rounding never makes a member
/// late, and each advance during its service makes it early by less than 2^-20 of a unit. The time of its finish is
/// then rounded up to a picosecond.
class ServiceRate {
 public:
  ServiceRate() = default;
  explicit ServiceRate(Fraction rate) : numerator_(rate.numerator()), denominator_(rate.denominator()) {}

  bool is(Fraction rate) const {
    return rate.numerator() == numerator_.value() && rate.denominator() == denominator_.value();
  }

  /// Returns the work that a member receives in this time, rounded up.
  FixedPoint work_in(Duration elapsed) const {
    const auto time = static_cast<std::uint64_t>(elapsed.count);
    return denominator_.divide_up((UInt128{time} * numerator_.value()) << kFixedBits);
  }

  /// Returns the time until a member has received this work. If it has already, by rounding up, that is a picosecond.
  /// The rate must not be 0.
  Duration time_for(FixedPoint work) const {
    // Rounding up twice equals rounding up once.
    const UInt128 units = (work * denominator_.value() + to_fixed_point(1) - 1) >> kFixedBits;
    const UInt128 wait = numerator_.divide_up(std::max<UInt128>(units, 1));
    if (wait > static_cast<UInt128>(std::numeric_limits<std::int64_t>::max())) detail::raise_time_overflow();
    return Duration{static_cast<std::int64_t>(wait)};
  }

 private:
  // The numerator divides work to find the time of a finish; the denominator divides time.
  Divisor numerator_{0};
  Divisor denominator_;
};

/// A resource that members share in proportion to their weights (processor sharing). `capacity` units serve each member
/// at min(1, its weight x a common level), where the level is the highest that the capacity allows. So k members of one
/// weight are served at min(1, capacity / k) each. The cost of an arrival or a departure is logarithmic. settle() sets
/// the rates after all arrivals and departures of an instant; it must be called before time passes.
///
/// Work is in picoseconds of service at rate 1. Weights go from 1 to kMaxWeight. `Member` identifies a member, or
/// several equal ones, and must be trivially copyable.
template <class Member>
class FairPool {
 public:
  static constexpr std::uint32_t kMaxWeight = 3;

  explicit FairPool(std::uint32_t capacity) : capacity_(capacity) {}

  bool empty() const {
    return std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.heap.empty(); });
  }

  /// Adds `count` equal members, each with `work` to do.
  void enter(SimTime now, Member member, std::uint32_t count, std::int64_t work, std::uint32_t weight = 1) {
    GDSIM_CHECK(weight >= 1 && weight <= kMaxWeight, "a member has a weight that there is not");
    advance(now);
    Lane& lane = lanes_[weight - 1];
    if (lane.count == 0) lane.served = 0;  // a lane that has been empty does not depend on its past
    push_to_heap(lane.heap, Entry{lane.served + to_fixed_point(work), member, count});
    lane.count += count;
  }

  /// Removes all members whose work is done at `now`, and calls `done(member)` for each.
  template <class Done>
  void leave_due(SimTime now, Done&& done) {
    advance(now);
    for (Lane& lane : lanes_) {
      while (!lane.heap.empty() && lane.heap.front().finish <= lane.served) {
        const Entry entry = pop_from_heap(lane.heap);
        lane.count -= entry.count;
        done(entry.member);
      }
    }
  }

  /// Sets the rates. Must be called after all events of an instant have been handled. Returns the time at which the
  /// next member is done if no member enters or leaves before, or nullopt if the pool is empty.
  ///
  /// From the highest weight on, a member that would get more than one unit gets one, and the others share the rest.
  std::optional<SimTime> settle() {
    EarliestTime first;
    std::uint64_t left = capacity_;
    std::uint64_t weights = 0;  // the sum over all members that may get less than a whole unit
    for (std::size_t i = 0; i < lanes_.size(); ++i) weights += (i + 1) * lanes_[i].count;
    for (std::size_t i = lanes_.size(); i-- > 0;) {
      Lane& lane = lanes_[i];
      if (lane.count == 0) continue;
      const std::uint64_t weight = i + 1;
      if (weight * left >= weights) {
        lane.set_rate(Fraction(1, 1));
        left -= lane.count;
        weights -= weight * lane.count;
      } else if (weights == weight * lane.count) {
        lane.set_rate(Fraction(left, lane.count));  // equals the fraction below, in smaller numbers
      } else {
        lane.set_rate(Fraction(weight * left, weights));
      }
      first.add(since_ + lane.rate.time_for(left_of(lane.heap.front(), lane.served)));
    }
    return first.get();
  }

  /// Changes the remaining work `left` of each member, as of `now`, to `scale(member, left)`, in FixedPoint. Members
  /// that are done must have been removed; settle() must be called afterwards.
  template <class Scale>
  void rescale(SimTime now, Scale scale) {
    advance(now);
    for (Lane& lane : lanes_) {
      std::vector<Entry> entries = std::exchange(lane.heap, {});
      for (Entry& entry : entries) {
        entry.finish = lane.served + scale(entry.member, left_of(entry, lane.served));
        push_to_heap(lane.heap, entry);
      }
    }
  }

  /// Calls `visit(member, left)` for each member, where `left` is its remaining work at `now`, in FixedPoint.
  template <class Visit>
  void visit_work_left(SimTime now, Visit&& visit) const {
    for (const Lane& lane : lanes_)
      for (const Entry& entry : lane.heap)
        visit(entry.member, left_of(entry, lane.served + lane.rate.work_in(now - since_)));
  }

 private:
  struct Entry {
    FixedPoint finish;
    Member member;
    std::uint32_t count;
  };
  /// The members of one weight, which are served at the same rate.
  struct Lane {
    FixedPoint served = 0;  ///< the reading of their virtual clock, at since_
    ServiceRate rate;
    std::vector<Entry> heap;
    std::uint64_t count = 0;  ///< sum of the members' counts

    void set_rate(Fraction fraction) {
      if (!rate.is(fraction)) rate = ServiceRate(fraction);
    }
  };

  static FixedPoint left_of(const Entry& entry, FixedPoint served) {
    return entry.finish > served ? entry.finish - served : 0;
  }

  void advance(SimTime now) {
    if (now == since_) return;
    const Duration elapsed = now - since_;
    since_ = now;
    for (Lane& lane : lanes_)
      if (lane.count != 0) lane.served += lane.rate.work_in(elapsed);
  }

  std::uint32_t capacity_;
  SimTime since_;                       ///< the last advance
  std::array<Lane, kMaxWeight> lanes_;  ///< by weight, from 1
};

}  // namespace gdsim
