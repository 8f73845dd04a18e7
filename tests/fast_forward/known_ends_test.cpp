#include "support/builders.hpp"
#include "support/jittered_runs.hpp"
#include "support/random_values.hpp"
#include "support/run_outputs.hpp"
#include "support/scenarios.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <cstdint>
#include <stop_token>
#include <string>

// Threads whose ends are known end without events, and no output shows it.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// 6 cores of 4 whole work-groups, each of 8 threads of 10 us, more or less.
RandomRun jittered_threads(std::uint64_t groups) {
  RandomRun run = jittered(groups);
  run.workload.kernels.front().variation.draw->per = DrawPer::thread;
  return run;
}

StepTime time_of(std::uint64_t picoseconds) { return {Decimal::whole(picoseconds), StepTime::Unit::picoseconds}; }

/// The same bytes fast-forwarded and not; fast-forwarded with fewer than so many events, and without with ten times
/// more.
void check_ends_without_events(const RandomRun& run, std::uint64_t max_events) {
  const BothWays runs = outputs_both_ways(run, {});
  CHECK(runs.first_difference() == "");
  CHECK(runs.are_same());
  CHECK(runs.with.events < max_events);
  CHECK(runs.without.events > 10 * max_events);
}

/// Requests a stop of the run that it observes.
struct RunStopper : Observer {
  std::stop_source stop;
};

RunRecord run_stopped_by(RunStopper& stopper, const RandomRun& run, FastForward fast_forward) {
  SwitchedRunOptions options;
  options.stop = stopper.stop.get_token();
  options.observers = {&stopper};
  options.fast_forward = fast_forward;
  return simulate(run.device, run.device.dispatch, run.workload, options).record;
}

}  // namespace

TEST_CASE("threads that end without events give the same bytes as those that end by events") {
  rc::prop("fast-forwarding on and off, a factor for each thread", [] {
    RandomRun run = draw_jittered_run();
    run.device.dispatch.recovery = std::nullopt;
    if (between(0, 2) == 0) run.device.dispatch.recovery = time_of(one_of<std::uint64_t>({1, 7, 700}));
    run.device.release = one_of({Release::thread, Release::work_group});
    for (Kernel& kernel : run.workload.kernels) {
      if (!kernel.variation.draw) continue;
      if (between(0, 3) > 0) kernel.variation.draw->per = DrawPer::thread;
      if (between(0, 2) > 0) kernel.program = {compute(ps(between(1, 900))), compute(ps(between(0, 30)))};
    }
    RC_PRE(can_run(run.device, run.device.dispatch, run.workload));
    RC_LOG(describe(run));
    SwitchedRunOptions options;
    if (between(0, 5) == 0) options.bounds.time = at(ps(between(1, 4'000)));
    options.keep_timeline = between(0, 1) == 0 ? KeepTimeline::no : KeepTimeline::yes;
    const BothWays runs = outputs_both_ways(run, options);
    RC_CLASSIFY(2 * runs.with.events < runs.without.events, "half without events");
    if (!runs.are_same()) RC_FAIL(runs.first_difference());
    const std::string with = counts_of(run, options);
    options.fast_forward = FastForward::no;
    RC_ASSERT(with == counts_of(run, options));
  });
}

TEST_CASE("nearly all threads of a long launch with a factor for each thread end without events") {
  check_ends_without_events(jittered_threads(4'000), 1'500);
}

TEST_CASE("where what has ended recovers, only its recovery is an event") {
  RandomRun run = jittered_threads(4'000);
  run.device.dispatch.recovery = time_of(300'000);
  const BothWays runs = outputs_both_ways(run, {});
  CHECK(runs.are_same());
  // One for each thread, for its recovery, instead of that, its end, and a turn after each.
  CHECK(3 * runs.with.events < runs.without.events);
}

TEST_CASE("threads end without events where a work-group keeps its contexts until the last of them ends") {
  RandomRun run = jittered_threads(4'000);
  run.device.release = Release::work_group;
  check_ends_without_events(run, 1'500);
}

TEST_CASE("threads of a work-group that is placed in part end without events") {
  RandomRun run = jittered_threads(4'000);
  run.device.dispatch.admission = Admission::partial;
  run.device.contexts_per_engine = 15;
  const BothWays runs = outputs_both_ways(run, {});
  CHECK(runs.are_same());
  CHECK(2 * runs.with.events < runs.without.events);
}

TEST_CASE("launches, copies and steps of other kernels are on time while threads end without events") {
  const ReadText text = read_text(R"(scenario: others between
device:
  base: tiny
  cores: 4
  copy: {bandwidth: 16 GB/s, engines: 1}
  memory: {in_flight: 64 B, levels: [{name: DRAM, bandwidth: 7 GB/s, latency: 310 ns}]}
kernels:
  worker:
    global: 64000
    local: 32
    sub_group: 8
    program: [compute: 1 us, compute: 700 ns]
    variation: {distribution: lognormal, cv: 0.2, per: thread, seed: 1}
  short: {global: 32, local: 32, sub_group: 8, program: [compute: 300 ns]}
  reader: {global: 64, local: 16, sub_group: 8, program: [memory: 3 KiB, compute: 5 ns]}
launches:
  - {kernel: worker, name: first}
  - {copy: {bytes: 8 KiB, direction: host_to_device}, name: c1, at: 30 us}
  - {copy: {bytes: 8 KiB, direction: host_to_device}, name: c2, at: 30100 ns}
  - {kernel: worker, name: second, after: [first, c2]}
  - {copy: {bytes: 8 KiB, direction: host_to_device}, name: c3, after: [first]}
  - {kernel: reader, name: r, at: 40 us}
  - {kernel: short, name: s, after: [second]}
  - {kernel: worker, name: third, after: [r]}
)");
  const Scenario& scenario = text.scenario();
  RandomRun run{scenario.device, scenario.workload};
  for (const KernelChoice choice : {KernelChoice::head_only, KernelChoice::round_robin})
    for (const Admission admission : {Admission::partial, Admission::whole}) {
      run.device.dispatch = scenario.dispatch;
      run.device.dispatch.kernel_choice = choice;
      run.device.dispatch.admission = admission;
      const BothWays runs = outputs_both_ways(run, {});
      CHECK(runs.first_difference() == "");
      CHECK(runs.are_same());
      CHECK(3 * runs.with.events < runs.without.events);
    }
}

TEST_CASE("threads end without events also when many more of them run than at the first try") {
  // One work-group is placed each nanosecond: the first 16 find the device nearly empty.
  RandomRun run = jittered_threads(3'000);
  run.device.cores = 8;
  run.device.contexts_per_engine = 512;
  run.device.work_groups_per_core.count = 128;
  NdRange& range = run.workload.kernels.front().range;
  range.local[2] = 7;  // the room that there is at first is no multiple of it
  range.global[2] = 3'000 * 7;
  run.device.dispatch.interval = DispatchInterval{time_of(1'000), {}, "device"};
  const BothWays runs = outputs_both_ways(run, {});
  CHECK(runs.first_difference() == "");
  CHECK(runs.are_same());
  CHECK(2 * runs.with.events < runs.without.events);
}

TEST_CASE("an observer of everything sees each thread that ends without an event") {
  struct Witness : Observer {
    Detail detail() const override { return Detail::everything; }
    void on_instant(const Instant& now) override {
      for (const Fact& fact : now.facts) ended += fact.kind == FactKind::ended ? fact.threads : 0;
    }
    std::uint64_t ended = 0;
  } witness;
  const RandomRun run = jittered_threads(3'000);
  SwitchedRunOptions options;
  options.observers = {&witness};
  const RunResult result = simulate(run.device, run.device.dispatch, run.workload, options);
  CHECK(witness.ended == result.record.threads_total);
}

TEST_CASE("a bound on simulated time ends a run amid threads that end without events") {
  SwitchedRunOptions options;
  options.bounds.time = at(ms(5));
  const RandomRun run = jittered_threads(1'000'000'000);
  const RunRecord record = simulate(run.device, run.device.dispatch, run.workload, options).record;
  CHECK(record.outcome == Outcome::bounded);
  CHECK(record.end == at(ms(5)));
}

TEST_CASE("a run that is stopped amid threads that end without events ends with the instant it is at") {
  struct AtAnInstant : RunStopper {
    Detail detail() const override { return Detail::everything; }
    void on_instant(const Instant& now) override {
      if (++instants < 3'000) return;
      last = now.time;
      stop.request_stop();
    }
    std::uint64_t instants = 0;
    SimTime last;
  };
  const RandomRun run = jittered_threads(1'000'000'000'000);
  for (const FastForward fast_forward : {FastForward::yes, FastForward::no}) {
    AtAnInstant stopper;
    const RunRecord record = run_stopped_by(stopper, run, fast_forward);
    CHECK(record.outcome == Outcome::interrupted);
    CHECK(stopper.instants == 3'000);
    CHECK(record.end == stopper.last);
  }
}

TEST_CASE("a stop request for the end of a launch takes effect there, while threads of another end without events") {
  struct AtAnEnd : RunStopper {
    void on_instant(const Instant& now) override {
      for (const LaunchFact& fact : now.launches)
        if (fact.kind == LaunchFact::Kind::ends) stop.request_stop();
    }
  };
  RandomRun run = jittered_threads(2'000);
  run.workload.launches.push_back(run.workload.launches.front());
  for (const FastForward fast_forward : {FastForward::yes, FastForward::no}) {
    AtAnEnd stopper;
    const RunRecord record = run_stopped_by(stopper, run, fast_forward);
    CHECK(record.outcome == Outcome::interrupted);
    REQUIRE(record.launches.front().ended);
    CHECK(record.end == *record.launches.front().ended);
  }
}

TEST_CASE("threads whose times leave 64 bits are refused, whether they would end by events or not") {
  const auto outcome_of = [](const RandomRun& run, FastForward fast_forward) -> std::string {
    SwitchedRunOptions options;
    options.fast_forward = fast_forward;
    try {
      return counts_of(run, options);
    } catch (const TimeOverflowError&) {
      return "overflow";
    }
  };
  RandomRun run = jittered_threads(10'000);
  Kernel& kernel = run.workload.kernels.front();
  for (const Program& program :
       {Program{compute(Duration{4'000'000'000'000'000'000}), compute(us(1))},
        Program{compute(Duration{400'000'000'000'000'000})}, Program{compute(ns(1)), compute(Duration{1LL << 61})}}) {
    kernel.program = program;
    CHECK(outcome_of(run, FastForward::yes) == "overflow");
    CHECK(outcome_of(run, FastForward::no) == "overflow");
  }
}
