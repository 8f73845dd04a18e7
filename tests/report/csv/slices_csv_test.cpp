#include "support/builders.hpp"
#include "support/random_runs.hpp"
#include "support/string_sink.hpp"
#include <gdsim/analysis/words.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/json/summary_json.hpp>

#include <catch2/catch.hpp>

#include <string>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// A kernel of 10 us, and one of 3 us of a higher priority, submitted at 4 us; saving takes 1 us, restoring 2 us.
RandomRun preempted_run() {
  RandomRun run{one_core(), workload_of({kernel_of(1, 1, {compute(us(10))}), kernel_of(1, 1, {compute(us(3))})})};
  run.workload.launches[1].as_kernel().priority = 1;
  run.workload.launches[1].at = at(us(4));
  run.device.dispatch.kernel_choice = KernelChoice::priority;
  PreemptionRule& rule = run.device.dispatch.preemption.emplace();
  rule.of = PreemptionOf::thread;
  rule.save.per_work_group = {Decimal::whole(1'000'000)};
  rule.restore.per_work_group = {Decimal::whole(2'000'000)};
  return run;
}

}  // namespace

TEST_CASE("slices: a table says which process had the device when, and launches how long theirs was suspended") {
  const RandomRun run = preempted_run();
  const LaunchGraph graph = make_launch_graph(run.workload);
  const RunRecord record = simulate(run.device, run.device.dispatch, run.workload).record;
  const std::string title = "preempted";
  const RunReport report{title, run.device, run.device.dispatch, run.workload, record, graph};
  StringSink slices, launches, summary;
  slices_table().write(report, slices);
  CHECK(slices.text ==
        "start_ns,end_ns,process,use,work_groups,bytes\n"
        "0.000,4000.000,priority 0,running,0,0\n"
        "4000.000,5000.000,priority 0,saving,1,0\n"
        "5000.000,8000.000,priority 1,running,0,0\n"
        "8000.000,10000.000,priority 0,restoring,1,0\n"
        "10000.000,16000.000,priority 0,running,0,0\n");
  launches_table().write(report, launches);
  CHECK_THAT(launches.text, Catch::Contains(",active_ns,process,suspended_ns,bound,bound_percent\n") &&
                                Catch::Contains(",priority 0,6000.000,,\n") &&
                                Catch::Contains(",priority 1,0.000,,\n"));
  write_summary_json(report, summary);
  CHECK_THAT(summary.text, Catch::Contains("\"preemption\"") && Catch::Contains("\"work_groups_saved\": 1"));
  CHECK(notes_of(report).back() ==
        "Switches: 1 context of work-groups saved in 1 us and restored in 2 us; both take 18.8 % of the run.");
}
