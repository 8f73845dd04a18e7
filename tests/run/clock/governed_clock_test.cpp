#include "run/sharing.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/run/governed_clock.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>

using namespace gdsim;
using namespace gdsim::testing;

// Runs whose clock follows power, against closed forms. Unless said otherwise: one core of 4 contexts, 1 GHz, or 500
// MHz where more than 2 contexts were held on average in the 100 ns before.

namespace {

constexpr Hertz kFast{1'000'000'000};
constexpr Hertz kSlow{500'000'000};

DeviceSpec limited() {
  DeviceSpec device = testing::device_of(1, 4);
  device.clock = kFast;
  device.power = PowerRule{Power{10}, Power{4}, ns(100), {{kSlow, Power{1}}, {kFast, Power{3}}}};
  return device;
}

RunRecord record_of(const DeviceSpec& device, const Workload& workload) { return run_fully(device, workload).record; }

Workload compute_of(std::uint64_t threads, std::uint64_t cycles) {
  return workload_of({kernel_of(1, threads, {compute_cycles(cycles)})});
}

/// Adds `count` launches of the first kernel, at this interval.
void launch_again(Workload& workload, int count, Duration interval) {
  for (int i = 1; i < count; ++i) {
    workload.launches.push_back(workload.launches.front());
    workload.launches.back().name = "k" + std::to_string(i);
    workload.launches.back().at = SimTime{} + times(interval, static_cast<std::uint64_t>(i));
  }
}

}  // namespace

TEST_CASE("a run within the limit keeps its clock") {
  const RunRecord record = record_of(limited(), compute_of(2, 500));
  CHECK(record.end == at(ns(500)));
  CHECK(record.clock_changes.empty());
}

TEST_CASE("a load above the limit lowers the clock at the end of its period, and what remains takes longer") {
  const RunRecord record = record_of(limited(), compute_of(4, 500));
  CHECK(record.end == at(ns(100 + 800)));
  CHECK(record.clock_changes == std::vector<ClockChange>{{at(ns(100)), kSlow}});
}

TEST_CASE("the clock rises again behind a period of less load") {
  // 4 threads until 200 ns, of which 50 cycles under the lower clock; then one thread, and the limit holds again.
  Workload workload = workload_of({kernel_of(1, 3, {compute_cycles(150)}), kernel_of(1, 1, {compute_cycles(600)})});
  workload.launches[1].after = {};
  const RunRecord record = record_of(limited(), workload);
  CHECK(record.clock_changes == std::vector<ClockChange>{{at(ns(100)), kSlow}, {at(ns(300)), kFast}});
  CHECK(record.end == at(ns(300 + 400)));
}

TEST_CASE("load counts from the start of the simulation, also while nothing is resident") {
  Workload workload = compute_of(4, 500);
  workload.launches[0].at = at(ns(150));  // half of the second period is 2 contexts on average
  const RunRecord record = record_of(limited(), workload);
  CHECK(record.clock_changes == std::vector<ClockChange>{{at(ns(300)), kSlow}});
}

TEST_CASE("a change at the end of a run or behind it is none of the run") {
  CHECK(record_of(limited(), compute_of(4, 100)).clock_changes.empty());
  CHECK(record_of(limited(), compute_of(4, 101)).clock_changes.size() == 1);
}

TEST_CASE("a change that makes the run end at that instant is found, although it is none of the run") {
  // A barrier that costs 1 ps under the slow clock, and nothing under the fast one, which comes when it opens.
  DeviceSpec device = limited();
  device.clock = kSlow;
  device.barrier_cost.base = {Decimal{4, -4}, StepTime::Unit::cycles};
  const RunRecord record = record_of(device, workload_of({kernel_of(1, 1, {compute(ns(100)), Barrier{}})}));
  CHECK(record.end == at(ns(100)));
  CHECK(record.clock_changes.empty());
}

TEST_CASE("a clock that would let the run overflow if it stayed is left in time") {
  // 10 million seconds under the slow clock, were it not left at 300 ns, when one thread of four is left.
  DeviceSpec device = limited();
  device.power->levels.front().clock = Hertz{1};
  Workload workload = workload_of(
      {kernel_of(1, 3, {compute(ns(150))}), kernel_of(1, 1, {compute_cycles(5'000'000), compute_cycles(5'000'000)})});
  workload.launches[1].after = {};
  const RunRecord record = record_of(device, workload);
  REQUIRE(record.clock_changes.size() == 2);
  CHECK(record.clock_changes.back() == ClockChange{at(ns(300)), kFast});
  CHECK(record.end < at(ns(11'000'000)));
}

TEST_CASE("a stalled and a bounded run have the clocks up to their end") {
  const RunRecord stalled = record_of(limited(), workload_of({kernel_of(1, 4, {compute_cycles(300), Wait{"never"}})}));
  CHECK(stalled.outcome == Outcome::deadlock);
  CHECK(stalled.clock_changes.size() == 1);
  InternalRunOptions options;
  options.bounds.time = at(ns(150));
  const DeviceSpec device = limited();
  const RunRecord bounded_run = testing::simulate(device, device.dispatch, compute_of(4, 500), options).record;
  CHECK(bounded_run.outcome == Outcome::bounded);
  CHECK(bounded_run.clock_changes == std::vector<ClockChange>{{at(ns(100)), kSlow}});
}

TEST_CASE("an interrupted search for clocks gives the run as far as they are right") {
  struct CountedStop {
    std::shared_ptr<int> left;
    bool stop_requested() const { return *left == 0 || --*left == 0; }
  };
  Workload workload = compute_of(4, 60);
  launch_again(workload, 12, ns(250));
  const Compiled compiled = testing::compiled(limited(), workload);
  const RunRecord whole = simulate(compiled, InternalRunOptions{}).record;
  REQUIRE(whole.clock_changes.size() > 1);
  SimTime last;
  std::size_t most = 0;
  for (int asked = 1; asked < 10'000; ++asked) {
    InternalRunOptions options;
    options.stop = StopToken(CountedStop{std::make_shared<int>(asked)});
    const RunRecord cut = simulate(compiled, options).record;
    if (cut.outcome == Outcome::completed) break;
    REQUIRE(cut.outcome == Outcome::interrupted);
    const std::size_t known = cut.clock_changes.size();
    REQUIRE(known <= whole.clock_changes.size());
    CHECK(std::equal(cut.clock_changes.begin(), cut.clock_changes.end(), whole.clock_changes.begin()));
    most = std::max(most, known);
    last = std::max(last, cut.end);
  }
  CHECK(most > 1);
  CHECK(last > at(ns(200)));
}

TEST_CASE("each of repeated runs has the clocks of its own load") {
  Workload workload = compute_of(4, 100);
  workload.kernels[0].variation.draw = Draw{Distribution::uniform, Decimal{5, -1}, DrawPer::work_group, 1};
  const Compiled compiled = testing::compiled(limited(), workload);
  const Repetitions all = repeat(compiled, InternalRunOptions{}, 20);
  REQUIRE(all.runs.size() == 20);
  for (const Repetition& one : all.runs) {
    InternalRunOptions own;
    own.seed_offset = one.number - 1;
    CHECK(one.record.clock_changes == simulate(compiled, own).record.clock_changes);
    CHECK(one.record.clock_changes.empty() == (one.record.end <= at(ns(100))));
  }
}

TEST_CASE("the clocks of a run give the run that they follow from") {
  Workload workload = workload_of({kernel_of(1, 4, {loop(15, {issue(ns(3)), compute_cycles(7)})})});
  launch_again(workload, 12, ns(700));
  const DeviceSpec device = limited();
  const RunRecord governed = record_of(device, workload);
  REQUIRE(governed.clock_changes.size() > 2);
  DeviceSpec given = device;
  given.power.reset();
  given.clock_changes = governed.clock_changes;
  CHECK(record_of(given, workload).end == governed.end);
}

TEST_CASE("a period during a long pause costs nothing") {
  Workload workload = compute_of(4, 500);
  workload.launches[0].at = SimTime{1'000'000'000'000'000};  // 10^10 periods
  const RunRecord record = record_of(limited(), workload);
  CHECK(record.clock_changes.size() == 1);
}

TEST_CASE("power needs a clock, and one that it says something about") {
  DeviceSpec device = limited();
  device.clock.reset();
  const Compilation without = compile(device, compute_of(1, 1));
  REQUIRE_FALSE(without);
  CHECK(without.issues().front().path == "device.power");
  device.clock = Hertz{700'000'000};
  const Compilation other = compile(device, compute_of(1, 1));
  REQUIRE_FALSE(other);
  CHECK_THAT(other.issues().front().message, Catch::Contains("under the device's clock, 700 MHz"));
}

TEST_CASE("a clock that changes too often is refused with the period that is too short", "[figures]") {
  // A period of three contexts asks for less, under which three are held for longer, and one without any for more.
  DeviceSpec device = limited();
  device.power->period = ns(1);
  Workload workload = workload_of({kernel_of(1, 3, {compute_cycles(2)})});
  launch_again(workload, 1'200, ns(10));
  CHECK_THROWS_WITH(record_of(device, workload),
                    Catch::Contains("device.power.period") && Catch::Contains("give it a longer one"));
}
