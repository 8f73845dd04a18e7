#include "support/random_values.hpp"

#include <gdsim/dispatch/accounting/class_waits.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

// The waits of launches of a class, computed as a difference of sums and corrections, equal the waits summed up for
// each.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

TurnPosition drawn_position() { return {SimTime{between(0, 3)}, LaunchId{between<std::uint32_t>(0, 9)}}; }

/// The class, and the waits of each of its launches, summed up one by one.
struct Both {
  ClassWaits waits;
  std::map<TurnPosition, ClassWaits::Times> each;

  void enter_or_leave() {
    const TurnPosition launch = drawn_position();
    if (each.emplace(launch, ClassWaits::Times{}).second) return waits.enter(launch);
    RC_ASSERT(waits.leave(launch) == each.at(launch));
    each.erase(launch);
  }

  /// One of the class is refused; then others place work-groups, at later and later stops of the turn.
  void turn() {
    waits.begin_turn();
    if (each.empty()) return;
    const auto refused = std::next(each.begin(), between<std::ptrdiff_t>(0, std::ssize(each) - 1))->first;
    std::vector<std::pair<ScanCursor, WaitReason>> reasons{{{0, refused}, kWaitReasons[between<std::size_t>(6, 9)]}};
    waits.refuse(reasons.front().first, reasons.front().second);
    for (int placed = between(0, 4); placed > 0; --placed) {
      const ScanCursor stop{between<std::uint64_t>(0, 1), drawn_position()};
      if (stop <= ScanCursor{0, refused} || stop < reasons.back().first || waits.all_named_before(stop)) continue;
      reasons.emplace_back(stop, kWaitReasons[between<std::size_t>(6, 9)]);
      waits.change_reason(stop, reasons.back().second);
    }
    const Duration time{between(0, 50)};
    waits.book(time);
    for (auto& [launch, times] : each) {
      const ScanCursor named{launch < refused ? std::uint64_t{1} : 0, launch};
      WaitReason why = reasons.front().second;
      for (const auto& [from, reason] : reasons)
        if (from <= named) why = reason;
      times[static_cast<std::size_t>(why)] += time.count;
    }
  }

  void take_times() {
    auto expected = each.begin();
    waits.take_times([&](LaunchId launch, const ClassWaits::Times& times) {
      RC_ASSERT(launch == expected->first.second);
      RC_ASSERT(times == expected->second);
      expected->second = {};
      ++expected;
    });
    RC_ASSERT(expected == each.end());
  }
};

}  // namespace

TEST_CASE(
    "what each launch of a class waited is what is added up for it, whoever enters, leaves and is placed between") {
  rc::prop("against a sum for each", [] {
    Both both;
    for (int step = between(0, 200); step > 0; --step) switch (between(0, 7)) {
        case 0:
        case 1:
        case 2:
          both.waits.begin_turn();
          both.enter_or_leave();
          break;
        case 3: both.take_times(); break;
        default: both.turn();
      }
    both.take_times();
  });
}
