#include "run/sharing.hpp"

#include <gdsim/workload/program.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// Steps that issue and occupy the pipe of their core's L1 at the same time, against closed forms.

namespace {

/// One core at 1 GHz, so that a cycle is a nanosecond: an instruction of eight lanes occupies its engine for two.
DeviceSpec device_with_l1(std::uint32_t contexts, std::uint32_t engines = 1) {
  return with(device_of(1, contexts, engines), [](DeviceSpec& d) {
    d.clock = Hertz{1'000'000'000};
    d.arithmetic = {{"fp32", Decimal::whole(4)}};
    d.slm_access = SlmAccess{16, Bytes{4}, {}};
    d.l1 = L1Rule{Decimal::whole(1), {}};
  });
}

Step issue_with_lines(std::uint64_t instructions, std::uint64_t lines) {
  IssueSlots step{{}, {{"fp32", instructions}}};
  step.l1.emplace_back().lines = lines;
  return step;
}

FullRun run_of(const DeviceSpec& device, std::uint64_t threads, Program program) {
  return run_fully(device, workload_of({kernel_of(1, threads, std::move(program))}));
}

Int128 nanoseconds(std::int64_t count) { return Int128{count} * 1'000; }

}  // namespace

TEST_CASE("a step that issues and accesses L1 takes the longer of both") {
  const auto time = [](std::uint64_t lines) {
    return run_of(device_with_l1(4), 1, {issue_with_lines(100, lines)}).record.duration();
  };
  CHECK(time(50) == ns(200));
  CHECK(time(200) == ns(200));
  CHECK(time(300) == ns(300));
}

TEST_CASE("all engines of a core share its pipe, which binds though each engine alone would take longer") {
  const FullRun run = run_of(device_with_l1(1, 4), 4, {issue_with_lines(100, 60)});
  CHECK(run.record.duration() == ns(240));
  CHECK(spent(run, Activity::executing) == nanoseconds(4 * 200));
  CHECK(spent(run, Activity::slm) == nanoseconds(4 * 40));
  CHECK(spent(run, Activity::issue) == 0);
}

TEST_CASE("what served a step last is what it waited for, and issue slots if both did at once") {
  const FullRun issue_last = run_of(device_with_l1(2), 2, {issue_with_lines(100, 10)});
  CHECK(spent(issue_last, Activity::issue) == nanoseconds(2 * 200));
  CHECK(spent(issue_last, Activity::slm) == 0);
  const FullRun both = run_of(device_with_l1(2), 2, {issue_with_lines(100, 200)});
  CHECK(spent(both, Activity::issue) == nanoseconds(2 * 200));
  CHECK(spent(both, Activity::slm) == 0);
  const FullRun pipe_last = run_of(device_with_l1(2), 2, {issue_with_lines(100, 201)});
  CHECK(spent(pipe_last, Activity::issue) == 0);
  CHECK(spent(pipe_last, Activity::slm) == nanoseconds(2 * 201));
}

TEST_CASE("accesses to SLM wait for the same pipe") {
  const Program program{Only{{{0, 0}}, {issue_with_lines(1, 100)}}, Only{{{1, 1}}, {Slm{100, 1, 4}}}};
  CHECK(run_of(device_with_l1(2), 2, program).record.duration() == ns(200));
}

TEST_CASE("lines per cycle divide, and the latency of L1 comes once behind both") {
  const DeviceSpec slow = with(device_with_l1(2), [](DeviceSpec& d) {
    d.l1 = L1Rule{Decimal{5, -1}, step_time(ns(30))};
  });
  CHECK(run_of(slow, 1, {issue_with_lines(100, 300)}).record.duration() == ns(630));
  CHECK(run_of(slow, 1, {issue_with_lines(100, 10)}).record.duration() == ns(230));
  CHECK(run_of(slow, 1, {loop(3, {issue_with_lines(100, 10)})}).record.duration() == ns(690));
}

TEST_CASE("lines of several accesses of a step are summed up") {
  IssueSlots step{{}, {{"fp32", 1}}};
  for (const std::uint64_t lines : {32U, 1U, 7U}) step.l1.emplace_back().lines = lines;
  CHECK(run_of(device_with_l1(2), 1, {step}).record.duration() == ns(40));
}

TEST_CASE("each iteration of a loop around such a step is rounded up") {
  const DeviceSpec device =
      with(device_with_l1(2), [](DeviceSpec& d) { d.clock = Hertz{3'000'000'000}; });  // 333.3 ps per cycle
  CHECK(run_of(device, 1, {issue_with_lines(1, 4)}).record.duration() == ps(1'334));
  CHECK(run_of(device, 1, {loop(1'000, {issue_with_lines(1, 4)})}).record.duration() == ps(1'334'000));
}

TEST_CASE("a run that is bounded in the middle of such a step has executed what was served more of") {
  const auto bounded = [](SimTime bound) {
    InternalRunOptions options;
    options.bounds.time = bound;
    const DeviceSpec device = device_with_l1(1, 4);
    const Workload workload = workload_of({kernel_of(1, 4, {issue_with_lines(100, 100)})});
    TimeUse all;
    for (const CoreTimeUse& one : testing::simulate(device, device.dispatch, workload, options).record.time_use)
      all += one.use;
    return all;
  };
  CHECK(bounded(at(ns(100))).spent_on(Activity::executing) == nanoseconds(4 * 100));
  // Slots are done at 200 ns, when the pipe has served 50 of 100 lines of each.
  const TimeUse later = bounded(at(ns(300)));
  CHECK(later.spent_on(Activity::executing) == nanoseconds(4 * 200));
  CHECK(later.spent_on(Activity::slm) == nanoseconds(4 * 100));
  CHECK(later.spent_on(Activity::issue) == 0);
}

TEST_CASE("no draw makes the pipe faster than its rate") {
  Kernel kernel = kernel_of(200, 4, {issue_with_lines(1, 100)});
  kernel.variation = {};
  REQUIRE(draw_in_force(kernel));
  CHECK(duration(device_with_l1(8), workload_of({kernel})) >= ns(200 * 4 * 100));
}

namespace {

DeviceSpec device_with_separate_slm(std::uint32_t contexts) {
  return with(device_with_l1(contexts), [](DeviceSpec& d) { d.l1->slm = SlmPlace::separate; });
}

}  // namespace

TEST_CASE("separate SLM serves its accesses beside the lines of L1") {
  const Program program{Only{{{0, 0}}, {issue_with_lines(1, 100)}}, Only{{{1, 1}}, {Slm{70, 1, 4}}}};
  CHECK(run_of(device_with_separate_slm(2), 2, program).record.duration() == ns(100));
}

TEST_CASE("threads that access L1 beside separate SLM share its pipe as before") {
  const Program program{Only{{{0, 1}}, {issue_with_lines(1, 100)}}, Only{{{2, 2}}, {Slm{70, 1, 4}}}};
  const FullRun run = run_of(device_with_separate_slm(3), 3, program);
  CHECK(run.record.duration() == ns(200));
  CHECK(spent(run, Activity::slm) == nanoseconds(2 * 100));
}

TEST_CASE("separate SLM may serve several accesses side by side, L1 one") {
  const DeviceSpec device =
      with(device_with_separate_slm(4), [](DeviceSpec& d) { d.slm_access->accesses_per_cycle = 2; });
  const Program program{Only{{{0, 1}}, {issue_with_lines(1, 100)}}, Only{{{2, 3}}, {Slm{150, 1, 4}}}};
  CHECK(run_of(device, 4, program).record.duration() == ns(200));
}
