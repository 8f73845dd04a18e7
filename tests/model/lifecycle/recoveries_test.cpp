#include "support/builders.hpp"
#include <gdsim/model/lifecycle/residents.hpp>

#include <catch2/catch.hpp>

#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// What recovers at an instant, for a work-group of so many threads.
Recovery recovery_at(SimTime time, std::uint32_t group_threads) { return {time, launch(0), group_threads, 0, {}}; }

std::vector<std::uint32_t> taken_until(Recoveries& recoveries, SimTime now) {
  std::vector<std::uint32_t> threads;
  recoveries.take_until(now, [&](const Recovery& one) { threads.push_back(one.group_threads); });
  return threads;
}

}  // namespace

TEST_CASE("what is released recovers as much later as the rule says") {
  const Recoveries recoveries(ClockSchedule(), {us(3)});
  CHECK(recoveries.end(at(us(2))) == at(us(5)));
}

TEST_CASE("a recovery during which the clock changes goes on with the rest at the new clock") {
  DeviceSpec device = small_device();
  device.clock_changes = {{at(us(4)), Hertz{2'000'000'000}}};
  const Recoveries recoveries(ClockSchedule(device), {us(4), us(2)});
  CHECK(recoveries.end(at(us(0))) == at(us(4)));
  CHECK(recoveries.end(at(us(2))) == at(us(5)));  // half at the first clock, half at the second
  CHECK(recoveries.end(at(us(4))) == at(us(6)));
}

TEST_CASE("only the first of several recoveries that end at one instant needs an event") {
  Recoveries recoveries(ClockSchedule(), {us(1)});
  CHECK(recoveries.add(recovery_at(at(us(1)), 1)));
  CHECK_FALSE(recoveries.add(recovery_at(at(us(1)), 2)));
  CHECK(recoveries.add(recovery_at(at(us(2)), 3)));
}

TEST_CASE("recoveries that are over are taken in the order of their releases, and the others stay") {
  Recoveries recoveries(ClockSchedule(), {us(1)});
  recoveries.add(recovery_at(at(us(1)), 1));
  recoveries.add(recovery_at(at(us(1)), 2));
  recoveries.add(recovery_at(at(us(2)), 3));
  CHECK(taken_until(recoveries, at(ns(999))).empty());
  CHECK(taken_until(recoveries, at(us(1))) == std::vector<std::uint32_t>{1, 2});
  CHECK(taken_until(recoveries, at(us(1))).empty());
  CHECK(taken_until(recoveries, at(us(9))) == std::vector<std::uint32_t>{3});
}
