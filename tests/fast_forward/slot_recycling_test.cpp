#include "support/builders.hpp"
#include "support/jittered_runs.hpp"
#include "support/random_values.hpp"
#include "support/run_outputs.hpp"
#include "support/scenarios.hpp"

#include <gdsim/fast_forward/group_durations.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <stop_token>

// Work-groups that follow each other in their slots do so without events, and no output shows it.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Asks for everything.
class Witness : public Observer {
 public:
  Detail detail() const override { return Detail::everything; }
  void on_instant(const Instant& now) override {
    for (const Fact& fact : now.facts) ended += fact.closes_group ? 1 : 0;
  }

  std::uint64_t ended = 0;
};

}  // namespace

TEST_CASE("work-groups that follow each other without events give the same bytes as those that end one by one") {
  rc::prop("fast-forwarding on and off", [] {
    const RandomRun drawn = draw_jittered_run();
    RC_LOG(describe(drawn));
    InternalRunOptions options;
    if (between(0, 5) == 0) options.bounds.time = at(ps(between(1, 4'000)));
    options.keep_timeline = between(0, 1) == 0 ? KeepTimeline::no : KeepTimeline::yes;
    SlotCounter slots;
    options.observers = {&slots};
    const std::string with = counts_of(drawn, options);
    RC_CLASSIFY(slots.count > 0);
    RC_CLASSIFY(slots.count > 200, "many");
    slots.count = 0;
    options.fast_forward = FastForward::no;
    RC_ASSERT(with == counts_of(drawn, options));
    RC_ASSERT(slots.count == 0U);
  });
}

TEST_CASE("nearly all work-groups of a long jittered launch follow each other without events") {
  const RandomRun run = jittered(100'000);
  SlotCounter slots;
  InternalRunOptions options;
  options.observers = {&slots};
  const std::string with = counts_of(run, options);
  CHECK(slots.count > 99'000);
  options.fast_forward = FastForward::no;
  CHECK(with == counts_of(run, options));
}

TEST_CASE("an observer of single work-groups sees each of them end") {
  const RandomRun run = jittered(10'000);
  Witness witness;
  InternalRunOptions options;
  options.observers = {&witness};
  simulate(run.device, run.device.dispatch, run.workload, options);
  CHECK(witness.ended == 10'000);
}

TEST_CASE("a bound on simulated time ends a run amid work-groups that follow each other") {
  InternalRunOptions options;
  options.bounds.time = at(ms(5));
  const RandomRun run = jittered(1'000'000);
  const RunRecord record = simulate(run.device, run.device.dispatch, run.workload, options).record;
  CHECK(record.outcome == Outcome::bounded);
  CHECK(record.end == at(ms(5)));
  // 24 slots of 10 us each.
  CHECK(record.launches.front().work_groups_ended == Approx(12'000).epsilon(0.01));
}

TEST_CASE("a stop request takes effect while work-groups follow each other") {
  /// Stops the run once a thousand work-groups have ended; asks only for progress.
  struct Stopper : Observer {
    void on_instant(const Instant& now) override {
      if (now.work_groups_ended > 1'000) stop.request_stop();
    }
    std::stop_source stop;
  } stopper;
  InternalRunOptions options;
  options.stop = stopper.stop.get_token();
  options.observers = {&stopper};
  const RandomRun run = jittered(1'000'000'000'000);
  const RunRecord record = simulate(run.device, run.device.dispatch, run.workload, options).record;
  CHECK(record.outcome == Outcome::interrupted);
}

TEST_CASE("work-groups whose times leave 64 bits are refused as they are if they end one by one") {
  const auto outcome_of = [](const RandomRun& run, InternalRunOptions options) -> std::string {
    try {
      return counts_of(run, options);
    } catch (const TimeOverflowError&) {
      return "overflow";
    }
  };
  const auto check_same = [&](const RandomRun& run, InternalRunOptions options) {
    const std::string with = outcome_of(run, options);
    options.fast_forward = FastForward::no;
    CHECK(with == outcome_of(run, options));
    return with;
  };
  RandomRun run = jittered(10'000);
  Kernel& kernel = run.workload.kernels.front();
  kernel.program = {compute(Duration{4'000'000'000'000'000'000}), compute(us(1))};
  CHECK(check_same(run, {}) == "overflow");
  kernel.program = {compute(Duration{400'000'000'000'000'000})};
  CHECK(check_same(run, {}) == "overflow");
  // Three steps of a third of 2^64 each: together they would come around to nearly nothing.
  const auto third = compute(Duration{6'148'914'691'236});
  kernel.program = {third, third, compute(Duration{6'148'914'691'237}), compute(us(200))};
  kernel.variation.factors = {{group(0), Decimal::whole(1'000'000)}};
  CHECK(check_same(run, {}) == "overflow");
  // Of every fourth, the second step would, but that lies behind the bound.
  kernel.program = {compute(Duration{400'000'000'000'000'000}), compute(Duration{9'200'000'000'000'000'000})};
  kernel.variation.draw->cv = Decimal{1, -2};
  kernel.variation.factors.clear();
  for (std::uint64_t i = 0; i < 10'000; ++i)
    if (i % 4 < 3) kernel.variation.factors.push_back({group(i), Decimal{1, -6}});
  InternalRunOptions bounded;
  bounded.bounds.time = SimTime{300'000'000'000'000'000};
  CHECK(check_same(run, bounded) != "overflow");
}

TEST_CASE("work-groups on which it depends what others get of the memory end one by one") {
  // Each begin and end of 4 KiB rounds the rates of the readers of 1 MiB.
  const ReadText text = read_text(R"(scenario: working sets
device:
  base: tiny
  cores: 4
  memory:
    in_flight: 64 B
    levels:
      - {name: L3, capacity: 16 KiB, bandwidth: 13 GB/s, latency: 150 ns}
      - {name: DRAM, bandwidth: 7 GB/s, latency: 310 ns}
dispatch: {admission: whole}
kernels:
  reader: {global: 32, local: 8, sub_group: 8, working_set: 1 KiB, program: [memory: 256 KiB]}
  worker:
    global: 160000
    local: 8
    sub_group: 8
    working_set: 4 KiB
    program: [compute: 10 ns]
    variation: {distribution: uniform, cv: 0.1, seed: 1}
launches: [kernel: reader, kernel: worker]
)");
  const Scenario& scenario = text.scenario();
  RandomRun run{scenario.device, scenario.workload};
  run.device.dispatch = scenario.dispatch;
  SlotCounter slots;
  InternalRunOptions options;
  options.observers = {&slots};
  const std::string with = counts_of(run, options);
  CHECK(slots.count == 0);
  options.fast_forward = FastForward::no;
  CHECK(with == counts_of(run, options));
  // Without a working set, it does not.
  run.workload.kernels.back().working_set.reset();
  options.fast_forward = FastForward::yes;
  counts_of(run, options);
  CHECK(slots.count > 15'000);
}

TEST_CASE("durations of work-groups are the same whether computed together or one by one") {
  rc::prop("of() and of_one()", [] {
    const DeviceSpec device = small_device();
    Kernel kernel = kernel_of(1'000, 8, draw_plain_program());
    for (std::uint64_t i = between(0, 3); i > 0; --i)
      kernel.variation.factors.insert(kernel.variation.factors.begin(), {group(40 * i), Decimal{25, -1}});
    const ProgramPlan plan(kernel, device);
    RC_PRE(has_known_path(plan));
    GroupDurations durations(plan, FactorDraw(draw_variation()), launch(3));
    for (std::uint64_t i = 0; i < 300; i += between<std::uint64_t>(1, 90)) {
      RC_ASSERT(durations.from(i).front() == durations.of_one(group(i)));
    }
  });
}

TEST_CASE("a core leaves the first wave also when work-groups end there without being reported") {
  RandomRun run = jittered(30'000);
  Kernel kernel = run.workload.kernels.front();
  kernel.variation.first_wave = Decimal::whole(3);
  // The first three on core 0 are there for 1.2 ms, while all others follow each other. The work-group of another
  // launch frees a slot there at 2 ms.
  for (std::uint64_t i = 0; i < 3; ++i) kernel.variation.factors.push_back({group(i), Decimal::whole(40)});
  run.workload = workload_of({kernel_of(1, 8, {compute(us(2'000))}), kernel});
  InternalRunOptions options;
  SlotCounter slots;
  options.observers = {&slots};
  const std::string with = counts_of(run, options);
  CHECK(slots.count > 0);
  options.fast_forward = FastForward::no;
  CHECK(with == counts_of(run, options));
}
