#include "support/builders.hpp"
#include "support/random_runs.hpp"
#include <gdsim/record/wait_log.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/run/simulate.hpp>

#include <catch2/catch.hpp>
#include <rapidcheck/catch.h>

#include <algorithm>

// The counts of dispatched and ended work-groups, wherever a run stops.

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("work-groups dispatched and ended are those that the log of their lives knows, wherever a run stops") {
  rc::prop("for any run and any bound", [] {
    const RandomRun run = draw_run();
    WorkGroupLog log(run.workload.launches.size());
    InternalRunOptions options;
    options.observers = {&log};
    options.bounds.events = *rc::gen::inRange<std::uint64_t>(1, 200);
    const RunRecord record = simulate(run.device, run.device.dispatch, run.workload, options).record;
    for (std::size_t i = 0; i < record.launches.size(); ++i) {
      if (!run.workload.launches[i].is_kernel()) continue;
      const auto& groups = log.records_of(static_cast<LaunchId>(i));
      const auto has_ended = [](const WorkGroupRecord& group) { return group.ended.has_value(); };
      const auto ended = std::count_if(groups.begin(), groups.end(), has_ended);
      RC_ASSERT(record.launches[i].work_groups_dispatched == groups.size());
      RC_ASSERT(record.launches[i].work_groups_ended == static_cast<std::uint64_t>(ended));
    }
    if (record.outcome == Outcome::completed) RC_ASSERT(record.work_groups_ended() == record.work_groups_total);
    RC_ASSERT(record.work_groups_dispatched() >= record.work_groups_ended());
  });
}
