#include "support/builders.hpp"
#include "support/random_runs.hpp"

#include <gdsim/record/part_timelines.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <map>
#include <tuple>

using namespace gdsim;
using namespace gdsim::testing;

namespace {
std::vector<GroupPoint> points_of(const DeviceSpec& device, const Workload& workload) {
  GroupTimeline groups;
  InternalRunOptions options;
  options.observers = {&groups};
  simulate(device, device.dispatch, workload, options);
  return groups.points();
}
}  // namespace

TEST_CASE("a work-group that is placed in part waits at its barrier until the rest has come") {
  DeviceSpec device = small_device();
  device.cores = 1;
  device.dispatch.admission = Admission::partial;
  device.dispatch.ports = {};
  // 8 contexts: 6 threads of the first work-group, then 2 of the 6 of the second.
  const auto points = points_of(device, workload_of({kernel_of(2, 6, {barrier(), compute(Duration{10})})}));
  REQUIRE(points.size() == 5);
  CHECK(points[0].change.state == GroupState{6, 0, 0, GroupPlacement::full});
  CHECK(points[1].change.state == GroupState{2, 2, 0, GroupPlacement::partial});
  CHECK(points[1].time == SimTime{0});
  CHECK(points[2].change.kind == GroupChange::Event::leaves);
  CHECK(points[2].time == SimTime{10});
  CHECK(points[3].change.state == GroupState{6, 0, 0, GroupPlacement::full});
  CHECK(points[4].change.kind == GroupChange::Event::leaves);
  CHECK(points[4].time == SimTime{20});
}

TEST_CASE("what single work-groups hold adds up to the timeline of every core") {
  rc::prop("at every change of a core", [] {
    const RandomRun run = draw_run();
    const auto points = points_of(run.device, run.workload);
    const FullRun full = run_fully(run.device, run.workload);
    std::map<std::tuple<CoreId, LaunchId, WorkGroupId>, GroupState> held;
    std::size_t next = 0;
    for (const CorePoint& row : full.cores.points()) {
      for (; next < points.size() && points[next].time <= row.time; ++next) {
        const GroupChange& change = points[next].change;
        const auto key = std::make_tuple(change.core, change.launch, change.work_group);
        RC_ASSERT((change.kind == GroupChange::Event::comes) == !held.contains(key));
        if (change.kind == GroupChange::Event::leaves) {
          held.erase(key);
        } else {
          held[key] = change.state;
        }
      }
      Residency sum;
      for (const auto& [key, state] : held) {
        if (std::get<0>(key) != row.core) continue;
        sum.threads += state.threads;
        sum.running += state.running();
        ++sum.work_groups;
      }
      RC_ASSERT(sum.threads == row.resident.threads);
      RC_ASSERT(sum.running == row.resident.running);
      RC_ASSERT(sum.work_groups == row.resident.work_groups);
    }
    if (full.record.outcome == Outcome::completed) RC_ASSERT(held.empty());
  });
}
