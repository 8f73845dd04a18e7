#include "support/builders.hpp"
#include "support/random_runs.hpp"
#include "support/random_values.hpp"
#include "support/run_outputs.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <stop_token>

// Launches that are alone on the device, many of each kernel.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// A dispatcher that takes time for each work-group, cores that recover, launches that cost: as on a GPU.
DeviceSpec gpu(std::string placement = "most_room") {
  return with(small_device(), [&](DeviceSpec& d) {
    d.cores = 8;
    d.engines_per_core = 2;
    d.contexts_per_engine = 8;
    d.work_groups_per_core = 4;
    d.max_work_group_size = 128;
    d.launch_cost = LaunchCost{picoseconds(900), picoseconds(300)};
    d.dispatch.placement = std::move(placement);
    d.dispatch.interval = DispatchInterval{picoseconds(1), {}};
    d.dispatch.recovery = picoseconds(40);
  });
}

/// Launches of these kernels by turns, each so long after the one before.
Workload chain(std::vector<Kernel> kernels, std::size_t launches, Duration pause) {
  Workload workload;
  workload.kernels = std::move(kernels);
  for (std::size_t i = 0; i < launches; ++i) {
    Launch launch{"l" + std::to_string(i), KernelId{static_cast<std::uint32_t>(i % workload.kernels.size())}, {}};
    launch.at = SimTime{static_cast<std::int64_t>(i) * pause.count};
    workload.launches.push_back(std::move(launch));
  }
  return workload;
}

RandomRun draw_chain() {
  RandomRun run{draw_device(), {}};
  if (between(0, 1) == 0) run.device = gpu(one_of<std::string>({"most_room", "fill_first", "round_robin"}));
  for (int i = between(1, 3); i > 0; --i)
    run.workload.kernels.push_back(between(0, 2) == 0
                                       ? draw_kernel(run.device)
                                       : kernel_of(between<std::uint64_t>(1, 400),
                                                   between<std::uint64_t>(1, run.device.contexts_per_core()),
                                                   {compute(ps(between(1, 50))), barrier(), compute(ps(9))}));
  SimTime time;
  for (int i = between(4, 40); i > 0; --i) {
    Launch launch{"l" + std::to_string(i),
                  KernelId{between<std::uint32_t>(0, static_cast<std::uint32_t>(run.workload.kernels.size() - 1))},
                  {}};
    launch.at = time;
    time = time + Duration{one_of<std::int64_t>({0, 40, 2'000, 20'000, 20'000})};
    run.workload.launches.push_back(std::move(launch));
  }
  return run;
}

RunResult run_with(const DeviceSpec& device, const Workload& workload, bool isolated_launches) {
  InternalRunOptions options;
  options.fast_forward.isolated_launches = isolated_launches;
  return simulate(device, device.dispatch, workload, options);
}

}  // namespace

TEST_CASE("chains of launches write the same bytes whether or not those that are alone are repeated") {
  rc::prop("fast-forwarding on and off", [] {
    const RandomRun drawn = draw_chain();
    require_same_bytes_both_ways(drawn);
    InternalRunOptions options;
    const std::string with = counts_of(drawn, options);  // no one work-group is observed
    options.fast_forward = FastForward::no;
    RC_ASSERT(with == counts_of(drawn, options));
  });
}

TEST_CASE(
    "of the launches of a kernel that are alone, the second is recorded and all others but the run's last are "
    "repeated") {
  const DeviceSpec device = gpu();
  const Workload workload =
      chain({kernel_of(20, 4, {compute(ps(500))}), kernel_of(7, 4, {compute(ps(300))})}, 200, Duration{10'000});
  const RunResult run = run_with(device, workload, true);
  // The first of a run is not seen, before which nothing was dispatched.
  CHECK(run.fast_forwarded.launches == 200 - 6);
  CHECK(run.events < run_with(device, workload, false).events / 30);
  for (const LaunchRecord& one : run.record.launches) CHECK(one.ended);
}

TEST_CASE("launches that meet others on the device are simulated") {
  const DeviceSpec device = gpu();
  CHECK(run_with(device, chain({kernel_of(20, 4, {compute(ps(500))})}, 50, Duration{600}), true)
            .fast_forwarded.launches == 0);
}

TEST_CASE("launches whose times are drawn are simulated, each with its own") {
  const DeviceSpec device = gpu();
  Kernel drawn = kernel_of(20, 4, {compute(ps(500))});
  drawn.variation.draw = Draw{Distribution::uniform, Decimal{2, -1}, DrawPer::work_group, 1};
  const RunResult run = run_with(device, chain({drawn}, 20, Duration{10'000}), true);
  CHECK(run.fast_forwarded.launches == 0);
  CHECK(run.record.launches[4].duration() != run.record.launches[5].duration());
}

TEST_CASE("a launch that would not be over at the bound of a run is simulated up to there") {
  const DeviceSpec device = gpu();
  const Workload workload = chain({kernel_of(20, 4, {compute(ps(500))})}, 50, Duration{10'000});
  InternalRunOptions options;
  options.bounds.time = SimTime{30 * 10'000 + 1'700};
  const RunResult run = simulate(device, device.dispatch, workload, options);
  options.fast_forward = FastForward::no;
  const RunResult plain = simulate(device, device.dispatch, workload, options);
  CHECK(run.fast_forwarded.launches == 27);
  CHECK(run.record.outcome == Outcome::bounded);
  CHECK(run.record.end == plain.record.end);
  CHECK(run.record.resident_time == plain.record.resident_time);
  CHECK(run.record.launches[30].first_dispatched == plain.record.launches[30].first_dispatched);
  CHECK_FALSE(run.record.launches[30].ended);
}

TEST_CASE("a stop that an observer requests ends a run behind the launch that is repeated") {
  struct StopsAtTenth : Observer {
    std::stop_source stop;
    int ended = 0;
    void on_instant(const Instant& now) override {
      for (const LaunchFact& fact : now.launches)
        if (fact.kind == LaunchFact::Kind::ended && ++ended == 10) stop.request_stop();
    }
  };
  StopsAtTenth observer;
  const DeviceSpec device = gpu();
  InternalRunOptions options;
  options.observers = {&observer};
  options.stop = observer.stop.get_token();
  const RunResult run =
      simulate(device, device.dispatch, chain({kernel_of(20, 4, {compute(ps(500))})}, 50, Duration{10'000}), options);
  CHECK(run.record.outcome == Outcome::interrupted);
  CHECK(run.record.launches[9].ended);
  CHECK_FALSE(run.record.launches[11].ready);
}
