#include "run/sharing.hpp"

#include <gdsim/base/check.hpp>
#include <gdsim/model/draws.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>
#include <set>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

// Factors that work-groups and threads draw.

TEST_CASE("drawn factors depend on seed and sample alone, have mean 1 and the spread asked for") {
  const auto kernel = [](DrawPer per, std::uint64_t seed, Distribution distribution) {
    return with(kernel_of(2'000, 1, {compute(us(1))}), [&](Kernel& k) {
      k.variation.draw = Draw{distribution, Decimal{1, -1}, per, seed};
    });
  };
  const auto lengths = [](const FullRun& run) {
    std::vector<double> all;
    for (const WorkGroupRecord& record : run.work_groups.records_of(launch(0)))
      all.push_back(static_cast<double>((record.ended.value() - record.first_placed).count) / 1e6);
    return all;
  };
  for (const Distribution distribution : {Distribution::normal, Distribution::lognormal, Distribution::uniform}) {
    const auto few = lengths(run_fully(device_of(1, 8), workload_of({kernel(DrawPer::work_group, 7, distribution)})));
    const auto many = lengths(run_fully(device_of(9, 8), workload_of({kernel(DrawPer::work_group, 7, distribution)})));
    const auto other = lengths(run_fully(device_of(1, 8), workload_of({kernel(DrawPer::work_group, 8, distribution)})));
    CHECK(few == many);
    CHECK(few != other);
    double sum = 0;
    double squares = 0;
    for (const double length : few) {
      sum += length;
      squares += length * length;
    }
    const double mean = sum / 2'000;
    CHECK(mean == Approx(1).margin(0.01));
    CHECK(squares / 2'000 - mean * mean == Approx(0.01).margin(0.001));
  }
  // To the bit, on every machine.
  const auto factor = [](Distribution distribution) {
    const FactorDraw draw(Draw{distribution, Decimal{1, -1}, {}, 1});
    return static_cast<std::uint64_t>(draw.factor({launch(2), group(3), 4}));
  };
  CHECK(factor(Distribution::normal) == 942'571'987);
  CHECK(factor(Distribution::lognormal) == 939'638'191);
  CHECK(factor(Distribution::uniform) == 924'790'587);
}

TEST_CASE("a factor per launch is that of all its work-groups, and differs from launch to launch") {
  Workload workload = workload_of({with(kernel_of(3, 2, {compute(us(1))}), [](Kernel& k) {
    k.variation.draw = Draw{Distribution::lognormal, Decimal{2, -1}, DrawPer::launch, 1};
  })});
  constexpr std::size_t kLaunches = 1'000;
  workload.launches.resize(kLaunches, workload.launches.front());
  const FullRun run = run_fully(device_of(2, 4), workload);
  std::vector<double> lengths;
  for (std::uint32_t i = 0; i < kLaunches; ++i) {
    std::set<std::int64_t> of_launch;
    for (const WorkGroupRecord& record : run.work_groups.records_of(launch(i)))
      of_launch.insert((record.ended.value() - record.first_placed).count);
    REQUIRE(of_launch.size() == 1);
    lengths.push_back(static_cast<double>(*of_launch.begin()) / 1e6);
  }
  const double mean = std::accumulate(lengths.begin(), lengths.end(), 0.0) / kLaunches;
  double squares = 0;
  for (const double length : lengths) squares += (length - mean) * (length - mean);
  CHECK(mean == Approx(1).margin(0.02));
  CHECK(std::sqrt(squares / kLaunches) == Approx(0.2).margin(0.02));
}

TEST_CASE("threads that draw for themselves meet at their work-group's barrier") {
  Kernel kernel = with(kernel_of(1, 8, {compute(us(1)), barrier(), compute(us(1))}), [](Kernel& k) {
    k.variation.draw = Draw{Distribution::uniform, Decimal{3, -1}, DrawPer::thread, 5};
  });
  const FullRun run = run_fully(device_of(1, 8), workload_of({kernel}));
  CHECK(run.record.outcome == Outcome::completed);
  CHECK(spent(run, Activity::barrier) > 0);
  CHECK(run.timeline.size() > 10);  // they begin and end one by one
}

TEST_CASE("a thread that is its whole work-group draws what that would") {
  const auto job = [](DrawPer per) {
    return workload_of({with(kernel_of(500, 1, {compute(us(1))}), [per](Kernel& k) {
      k.variation.draw = Draw{Distribution::lognormal, Decimal{3, -1}, per, 5};
    })});
  };
  const DeviceSpec device = device_of(4, 8);
  const auto ends = [&](DrawPer per) {
    const FullRun run = run_fully(device, job(per));
    std::vector<SimTime> all;
    for (const WorkGroupRecord& record : run.work_groups.records_of(launch(0))) all.push_back(record.ended.value());
    return all;
  };
  CHECK(ends(DrawPer::thread) == ends(DrawPer::work_group));
}

TEST_CASE("a work-group with a factor of its own takes its own time, wherever it stands") {
  constexpr std::int64_t groups = 60;
  // A work-group every 10 ns, whether it lasts 3 ns or 6.
  DeviceSpec device = small_device();
  device.dispatch.interval = DispatchInterval{{Decimal::whole(10'000), {}}, {}};
  Program program{compute(ns(3))};
  std::int64_t life = 3;
  SECTION("each ends before the next begins, on the other core") { device.dispatch.placement = "round_robin"; }
  SECTION("each ends before the next begins, on the same core") { device.cores = 1; }
  SECTION("three are there at once, whose first step has no factor") {
    device.cores = 1;
    device.barrier_cost.base = {Decimal::whole(25'000), {}};
    program.insert(program.begin(), barrier());
    life = 28;
  }
  for (std::uint64_t number = 0; number < groups; number += 7) {
    INFO("work-group " << number);
    Workload workload = workload_of({kernel_of(groups, 2, program)});
    workload.kernels[0].variation.factors.push_back({group(number), Decimal::whole(2)});
    CHECK(run_fully(device, workload).record.resident_time == Int128{2} * (life * groups + 3) * 1'000);
  }
}

TEST_CASE("a drawn factor that leaves 63 bits is a named error") {
  Kernel kernel = with(kernel_of(3, 1, {compute(ps(9'000'000'000'000'000'000))}), [](Kernel& k) {
    k.variation.draw = Draw{Distribution::lognormal, Decimal{5, -1}, DrawPer::work_group, 1};
  });
  CHECK_THROWS_AS(run_fully(device_of(1, 4), workload_of({kernel})), TimeOverflowError);
}
