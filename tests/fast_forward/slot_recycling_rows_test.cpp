#include "support/builders.hpp"
#include "support/jittered_runs.hpp"
#include "support/random_values.hpp"
#include "support/run_outputs.hpp"

#include <gdsim/record/work_group_log.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <stop_token>

// Work-groups that follow each other in their slots without events, where a row of each is asked for.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// All tables, with a row of each work-group, and how many slots were reused without events.
struct Rows {
  std::string tables;
  std::uint64_t reused = 0;
};

Rows rows_of(const RandomRun& run, InternalRunOptions options, FastForward fast_forward) {
  SlotCounter slots;
  options.observers.push_back(&slots);
  options.fast_forward = fast_forward;
  std::string tables = gdsim::testing::rows_of(run, options);
  return {std::move(tables), slots.count};
}

/// Stops the run once so many work-groups have ended; asks only for progress.
struct Stopper : Observer {
  explicit Stopper(std::uint64_t most) : most_ended(most) {}
  void on_instant(const Instant& now) override {
    if (now.work_groups_ended > most_ended) stop.request_stop();
  }
  std::uint64_t most_ended;
  std::stop_source stop;
};

/// Of the first launch, those of which the log knows the end.
std::uint64_t ended(const WorkGroupLog& log) {
  const auto records = log.of(launch(0));
  return static_cast<std::uint64_t>(
      std::count_if(records.begin(), records.end(), [](const auto& one) { return one.ended.has_value(); }));
}

}  // namespace

TEST_CASE("rows of work-groups that follow each other without events are those of work-groups that end one by one") {
  rc::prop("fast-forwarding on and off", [] {
    const RandomRun drawn = draw_jittered_run();
    RC_LOG(describe(drawn));
    InternalRunOptions options;
    if (between(0, 5) == 0) options.bounds.time = at(ps(between(1, 4'000)));
    options.keep_timeline = between(0, 1) == 0 ? KeepTimeline::no : KeepTimeline::yes;
    const Rows with = rows_of(drawn, options, FastForward::yes);
    RC_CLASSIFY(with.reused > 0);
    RC_CLASSIFY(with.reused > 200, "many");
    const Rows without = rows_of(drawn, options, FastForward::no);
    RC_ASSERT(with.tables == without.tables);
    RC_ASSERT(without.reused == 0U);
  });
}

TEST_CASE("rows are the same beside a loop whose iterations recur, while slots are reused without events") {
  rc::prop("fast-forwarding on and off", [] {
    DeviceSpec device = small_device();
    device.cores = between<std::uint32_t>(1, 2);
    device.engines_per_core = 1;
    device.contexts_per_engine = 8;
    device.dispatch.admission = Admission::whole;
    MemoryRule memory;
    memory.in_flight = Bytes{64};
    memory.levels.push_back({"DRAM", std::nullopt, std::nullopt,
                             StepTime{Decimal::whole(between<std::uint64_t>(300, 500)), StepTime::Unit::picoseconds}});
    device.memory = memory;
    const Loop loop{between<std::uint64_t>(100, 300), {Memory{Bytes{64}}, compute(ps(between(1, 20)))}};
    RandomRun run{device, workload_of({kernel_of(1, between<std::uint32_t>(1, 4), {loop}),
                                       kernel_of(between<std::uint64_t>(5'000, 40'000), 1, {compute(ps(10))})})};
    for (Kernel& kernel : run.workload.kernels) kernel.variation.draw.reset();
    RC_LOG(describe(run));
    const Rows with = rows_of(run, {}, FastForward::yes);
    RC_CLASSIFY(with.reused > 0);
    RC_ASSERT(with.tables == rows_of(run, {}, FastForward::no).tables);
  });
}

TEST_CASE("nearly all work-groups of a long jittered launch follow each other without events although rows are kept") {
  RandomRun run = jittered(20'000);
  for (const char* placement : {"fill_first", "round_robin", "least_loaded", "most_room"}) {
    CAPTURE(placement);
    run.device.dispatch.placement = placement;
    const Rows with = rows_of(run, {}, FastForward::yes);
    CHECK(with.reused > 19'000);
    CHECK(with.tables == rows_of(run, {}, FastForward::no).tables);
  }
}

TEST_CASE("rows are the same where others arrive, and work-groups end together on several cores") {
  RandomRun run = jittered(8'000);
  Kernel kernel = run.workload.kernels.front();
  // Of eight durations: many work-groups end at one instant, on one core and on several.
  kernel.variation.draw.reset();
  for (std::uint64_t i = 0; i < 8'000; ++i)
    if (i * i % 13 < 6) kernel.variation.factors.push_back({group(i), Decimal{100 + i * i % 13, -2}});
  run.workload = workload_of({kernel, kernel_of(40, 8, {compute(us(3))})});
  run.workload.launches[1].at = at(us(700));
  const Rows with = rows_of(run, {}, FastForward::yes);
  CHECK(with.reused > 1'000);
  CHECK(with.tables == rows_of(run, {}, FastForward::no).tables);
}

TEST_CASE(
    "of a run that is stopped amid work-groups that follow each other, the rows are those that its launch counts") {
  Stopper stopper(1'000);
  WorkGroupLog log(1);
  InternalRunOptions options;
  options.stop = stopper.stop.get_token();
  options.observers = {&stopper, &log};
  const RandomRun run = jittered(1'000'000'000'000);
  const RunRecord record = simulate(run.device, run.device.dispatch, run.workload, options).record;
  CHECK(record.outcome == Outcome::interrupted);
  CHECK(record.launches.front().work_groups_dispatched == log.of(launch(0)).size());
  CHECK(record.launches.front().work_groups_ended == ended(log));
  for (const WorkGroupRecord& one : log.of(launch(0))) REQUIRE(one.was_placed());
}

TEST_CASE("a stop request takes effect while rows of work-groups are kept that repeat") {
  Stopper stopper(1'000);
  WorkGroupLog log(1);
  InternalRunOptions options;
  options.stop = stopper.stop.get_token();
  options.observers = {&stopper, &log};
  RandomRun run = jittered(3'000'000);
  run.workload.kernels.front().variation = lock_step();
  run.workload.kernels.front().variation.draw.reset();
  const RunRecord record = simulate(run.device, run.device.dispatch, run.workload, options).record;
  CHECK(record.outcome == Outcome::interrupted);
  CHECK(record.launches.front().work_groups_ended < 1'000'000);
  CHECK(record.launches.front().work_groups_ended == ended(log));
}

TEST_CASE("rows up to a bound on simulated time are the same with and without events") {
  const RandomRun run = jittered(20'000);
  for (const Duration bound : {ps(1'234'567'891), ms(2), ps(5'000'000'001)}) {
    InternalRunOptions options;
    options.bounds.time = at(bound);
    const Rows with = rows_of(run, options, FastForward::yes);
    CHECK(with.reused > 1'000);
    CHECK(with.tables == rows_of(run, options, FastForward::no).tables);
  }
}

TEST_CASE("a bound on events ends a run with rows at the same event with and without skipping") {
  const RandomRun run = jittered(20'000);
  InternalRunOptions options;
  options.bounds.events = 9'999;
  CHECK(rows_of(run, options, FastForward::yes).tables == rows_of(run, options, FastForward::no).tables);
}
