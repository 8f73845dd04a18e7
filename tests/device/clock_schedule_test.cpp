#include "support/builders.hpp"

#include <gdsim/device/clock_schedule.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// 1 GHz, and these from then on.
ClockSchedule schedule_of(std::vector<ClockChange> changes) {
  return ClockSchedule(with(small_device(), [&](DeviceSpec& d) { d.clock_changes = std::move(changes); }));
}

/// When so many cycles end.
SimTime end_of_cycles(const ClockSchedule& clocks, SimTime begin, std::uint64_t cycles) {
  return clocks.end(begin, [&](std::size_t clock) {
    return resolve({Decimal::whole(cycles), StepTime::Unit::cycles}, clocks.clock(clock), Decimal::whole(1)).value();
  });
}

constexpr Hertz kGigahertz{1'000'000'000};
constexpr Hertz kHalf{500'000'000};
constexpr Hertz kTwice{2'000'000'000};

}  // namespace

TEST_CASE("a clock that never changes is one clock, and lengths are what they are") {
  const ClockSchedule clocks = schedule_of({});
  CHECK_FALSE(clocks.changes());
  CHECK(clocks.count() == 1);
  CHECK(end_of_cycles(clocks, at(ns(7)), 100) == at(ns(107)));
}

TEST_CASE("the clock in force at the instant of a change is the new one") {
  const ClockSchedule clocks = schedule_of({{at(ns(100)), kHalf}, {at(ns(200)), kTwice}});
  CHECK(clocks.number_at(at(ns(99))) == 0);
  CHECK(clocks.number_at(at(ns(100))) == 1);
  CHECK(clocks.number_at(at(ns(200))) == 2);
  CHECK(clocks.begin_of(2) == at(ns(200)));
}

TEST_CASE("a change at the end of a run is none of the run") {
  const ClockSchedule clocks = schedule_of({{at(ns(100)), kHalf}, {at(ns(200)), kTwice}});
  CHECK(clocks.number_before(at(ns(0))) == 0);
  CHECK(clocks.number_before(at(ns(100))) == 0);
  CHECK(clocks.number_before(at(ps(100'001))) == 1);
  CHECK(clocks.number_before(at(ns(201))) == 2);
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) { d.clock_changes = {{at(ns(100)), kHalf}}; });
  CHECK(seen_until(device, at(ns(100))).clock_changes.empty());
  CHECK(seen_until(device, at(ps(100'001))).clock_changes.size() == 1);
}

TEST_CASE("clocks range from the lowest to the highest") {
  const auto range = [](std::vector<ClockChange> changes) {
    return clock_range(with(small_device(), [&](DeviceSpec& d) { d.clock_changes = std::move(changes); }));
  };
  CHECK(range({}) == std::pair(kGigahertz, kGigahertz));
  CHECK(range({{at(ns(100)), kTwice}, {at(ns(200)), kHalf}}) == std::pair(kHalf, kTwice));
}

TEST_CASE("cycles that remain are rescaled at each change, and none that begin or end there") {
  const ClockSchedule clocks = schedule_of({{at(ns(100)), kHalf}, {at(ns(200)), kTwice}});
  CHECK(end_of_cycles(clocks, at(ns(0)), 100) == at(ns(100)));
  CHECK(end_of_cycles(clocks, at(ns(0)), 120) == at(ns(140)));   // 20 at 500 MHz
  CHECK(end_of_cycles(clocks, at(ns(0)), 200) == at(ns(225)));   // 50 at 500 MHz, 50 at 2 GHz
  CHECK(end_of_cycles(clocks, at(ns(100)), 20) == at(ns(140)));  // all at 500 MHz
  CHECK(end_of_cycles(clocks, at(ns(300)), 20) == at(ns(310)));
}

TEST_CASE("what remains is rounded up to a picosecond") {
  // A cycle of 3333 ps, of which 999 of 1000 remain: 3329.667.
  const ClockSchedule clocks = schedule_of({{at(ps(1)), Hertz{300'000'000}}});
  CHECK(end_of_cycles(clocks, at(ps(0)), 1) == at(ps(3'331)));
}

TEST_CASE("a length that is a time stays what it is, and one that becomes 0 is over at the change") {
  const ClockSchedule clocks = schedule_of({{at(ns(100)), kHalf}});
  CHECK(clocks.end(at(ns(0)), [](std::size_t) { return ns(300); }) == at(ns(300)));
  CHECK(clocks.end(at(ns(0)), [](std::size_t clock) { return clock == 0 ? ns(300) : ns(0); }) == at(ns(100)));
}

TEST_CASE("a clock that equals the one before it is no change") {
  CHECK_FALSE(schedule_of({{at(ns(100)), kGigahertz}}).changes());
  CHECK(schedule_of({{at(ns(100)), kHalf}, {at(ns(200)), kHalf}}).count() == 2);
}

TEST_CASE("times beyond 63 bits are an error of time, not a wrong number") {
  const SimTime late = at(ms(9'000'000'000));
  const ClockSchedule clocks = schedule_of({{late, kHalf}});
  const auto length = [](std::size_t clock) { return clock == 0 ? ps(10) : ms(1'000'000'000); };
  CHECK_THROWS_AS(clocks.end(late - ps(1), length), TimeOverflowError);
  CHECK_THROWS_AS(ClockSchedule::rescaled(ms(1'000'000), ps(1), ms(1'000'000)), TimeOverflowError);
}
