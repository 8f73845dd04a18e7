#pragma once

#include <gdsim/engine/virtual_clock.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// A resource that its members share equally, none faster than if it were alone: k of them on `capacity` units are
/// served at min(1, capacity / k) each (processor sharing). An arrival or a departure costs a logarithm.
///
/// Work is in picoseconds of service at rate 1. Members are told apart by `Member`, trivially copyable; one may stand
/// for several equal ones.
template <class Member>
class FairPool {
 public:
  explicit FairPool(std::uint32_t capacity) : capacity_(capacity) {}

  bool empty() const { return heap_.empty(); }

  /// `count` equal members with this much work each.
  void enter(Picoseconds now, Member member, std::uint32_t count, std::int64_t work) {
    clock_.advance(now);
    if (heap_.empty()) clock_.reset(now);
    heap_.push_back({clock_.at(now) + to_fixed_point(work), member, count});
    std::push_heap(heap_.begin(), heap_.end(), later);
    change_count(static_cast<std::int64_t>(count));
  }

  /// Takes out everyone whose work is done at `now`.
  template <class Done>
  void leave_due(Picoseconds now, Done&& done) {
    clock_.advance(now);
    while (!heap_.empty() && heap_.front().finish <= clock_.at(now)) {
      const Entry entry = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end(), later);
      heap_.pop_back();
      change_count(-static_cast<std::int64_t>(entry.count));
      done(entry.member);
    }
  }

  /// When the next one is done if nothing changes.
  std::optional<Picoseconds> next() const {
    if (heap_.empty()) return std::nullopt;
    return clock_.when(heap_.front().finish);
  }

  /// Calls `visit(member, work left at now)`, whole picoseconds, rounded up.
  template <class Visit>
  void visit_work_left(Picoseconds now, Visit&& visit) const {
    for (const Entry& entry : heap_) {
      const FixedPoint served = clock_.at(now);
      const FixedPoint left = entry.finish > served ? entry.finish - served : 0;
      visit(entry.member, static_cast<std::int64_t>((left + (FixedPoint{1} << kFixedBits) - 1) >> kFixedBits));
    }
  }

  /// Calls `visit_member(member)` for each, in an order on which that of ties depends.
  template <class VisitMember>
  void visit_state(StateVisitor& visitor, VisitMember&& visit_member) {
    visitor.shape(heap_.size());
    if (heap_.empty()) return;
    clock_.visit_state(visitor);
    for (Entry& entry : heap_) {
      clock_.visit_reading(visitor, entry.finish);
      visitor.plain(entry.count);
      visit_member(entry.member);
    }
  }

 private:
  struct Entry {
    FixedPoint finish;
    Member member;
    std::uint32_t count;
  };

  static bool later(const Entry& a, const Entry& b) { return b.finish < a.finish; }

  void change_count(std::int64_t by) {
    count_ = static_cast<std::uint64_t>(static_cast<std::int64_t>(count_) + by);
    clock_.set_rate(count_ <= capacity_ ? Fraction(1, 1) : Fraction(capacity_, count_));
  }

  std::uint32_t capacity_;   ///< [constant]
  std::uint64_t count_ = 0;  ///< [derived] sum of the members' counts
  VirtualClock clock_;
  std::vector<Entry> heap_;
};

}  // namespace gdsim
