#include "support/builders.hpp"
#include "support/scenarios.hpp"
#include <gdsim/analysis/run_report.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/fit/core.hpp>

#include <catch2/catch.hpp>

// Contexts as ranges: a work-group takes the lowest free range of contexts that begins at a multiple of its length.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

DeviceSpec ranged_core() {
  return with(one_core(), [](DeviceSpec& d) {
    d.engines_per_core = 1;
    d.contexts_per_engine = 16;
    d.max_work_group_size = 128;
    d.context_allocation = ContextAllocation::aligned_ranges;
    d.dispatch.kernel_choice = KernelChoice::skip_blocked;
  });
}

/// Three work-groups of 3 threads, of 10, 20 and 30 us; then one of 6 threads.
Workload narrow_and_wide() {
  Kernel narrow = kernel_of(3, 3, {compute(us(10))});
  narrow.variation.factors = {{group(1), Decimal::whole(2)}, {group(2), Decimal::whole(3)}};
  return workload_of({narrow, kernel_of(1, 6, {compute(us(10))})});
}

}  // namespace

TEST_CASE("the lowest free run begins at a multiple of its length") {
  ContextRanges ranges(16);
  CHECK(ranges.take(3) == 0);
  CHECK(ranges.take(3) == 3);
  CHECK(ranges.find(4) == 8U);
  CHECK(ranges.count(4) == 2);
  CHECK_FALSE(ranges.find(10).has_value());
  ranges.release(0, 3);
  CHECK(ranges.find(3) == 0U);
  CHECK(ranges.find(4) == 8U);
  CHECK_THROWS(ranges.release(0, 3));
}

TEST_CASE("a work-group waits though enough contexts are free, and the launch says why") {
  const FullRun run = run_fully(ranged_core(), narrow_and_wide());
  CHECK(run.work_groups.records_of(launch(1))[0].first_placed == at(us(20)));
  CHECK(run.record.launches[1].waited[WaitReason::context_ranges] == us(20));
  const DeviceSpec counted =
      with(ranged_core(), [](DeviceSpec& d) { d.context_allocation = ContextAllocation::counted; });
  CHECK(run_fully(counted, narrow_and_wide()).work_groups.records_of(launch(1))[0].first_placed == at(us(0)));
}

TEST_CASE("a run of contexts is released when the whole work-group has ended, even if threads release theirs before") {
  DeviceSpec device = ranged_core();
  device.contexts_per_engine = 8;
  Kernel first = kernel_of(1, 4, {compute(us(10))});
  first.program.push_back(Only{{{3, 3}}, {compute(us(10))}});
  const FullRun run = run_fully(device, workload_of({first, kernel_of(1, 7, {compute(us(1))})}));
  CHECK(run.work_groups.records_of(launch(1))[0].first_placed == at(us(20)));
}

TEST_CASE("threads of the large register file take runs of so many contexts") {
  DeviceSpec device = ranged_core();
  device.large_grf_contexts = 2;
  Workload workload = narrow_and_wide();
  workload.kernels[0].needs.grf = GrfMode::large;  // runs of 6: 0-5, 6-11; the third does not fit
  const FullRun run = run_fully(device, workload);
  CHECK(run.work_groups.records_of(launch(0))[2].first_placed == at(us(10)));
}

TEST_CASE("of equal work-groups, as many run at once as there are aligned runs") {
  const DeviceSpec device = ranged_core();
  const RunResult run = simulate(device, device.dispatch, workload_of({kernel_of(301, 5, {compute(us(1))})}));
  CHECK(run.record.end == at(us(101)));
}

TEST_CASE("the report of a stall says that no aligned run is free") {
  Workload workload = narrow_and_wide();
  workload.kernels[0].program.push_back(Wait{"never"});
  const DeviceSpec device = ranged_core();
  const FullRun run = run_fully(device, workload);
  REQUIRE(run.record.outcome == Outcome::deadlock);
  const std::string title;
  const LaunchGraph graph = make_launch_graph(workload);
  const RunReport report{title, device, device.dispatch, workload, run.record, graph};
  CHECK_THAT(deadlock_text(report), Catch::Contains("core 0 has 7 contexts free, but no aligned run of 6 for the next "
                                                    "work-group: held by work-groups 0, 1, 2 of k0"));
}

TEST_CASE("runs need whole work-groups: partial admission is refused, also if only the scenario says so") {
  const std::string tail =
      "\nkernels: {k: {global: 64, local: 8, sub_group: 8, program: [compute: 1 us]}}\nlaunches: [{kernel: k}]\n";
  const std::string device = "scenario: s\ndevice: {base: tiny, contexts: {allocation: aligned_ranges}}";
  CHECK_THAT(read_text(device + tail).problems,
             Catch::Contains("is `partial`; contexts in `aligned_ranges` need `dispatch: {admission: whole}`"));
  CHECK(read_text(device + "\ndispatch: {admission: whole}" + tail).problems.empty());
}
