#include "support/builders.hpp"

#include <gdsim/base/check.hpp>
#include <gdsim/base/diagnostic.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// The timeline as time:resident/running, in picoseconds.
std::vector<std::string> steps(const FullRun& run) {
  std::vector<std::string> words;
  for (const TimelinePoint& point : run.timeline)
    words.push_back(std::to_string(point.time.count) + ":" + std::to_string(point.counts.resident.threads) + "/" +
                    std::to_string(point.counts.resident.running));
  return words;
}

using Words = std::vector<std::string>;

DeviceSpec partial_core() {
  return with(one_core(), [](DeviceSpec& d) { d.dispatch.admission = Admission::partial; });
}

std::string complaint(const DeviceSpec& device, const Workload& workload) {
  try {
    run_fully(device, workload);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

}  // namespace

TEST_CASE("a thread holds its context from placement to its end, to the tick") {
  const FullRun run = run_fully(one_core(), workload_of({kernel_of(1, 3, {compute(ps(7))})}));
  CHECK(steps(run) == Words{"0:3/3", "7:0/0"});
  CHECK(run.record.resident_time == 21);
}

TEST_CASE("what is released at an instant is dispatched anew at that instant") {
  const FullRun run = run_fully(one_core(), workload_of({kernel_of(4, 4, {compute(ps(10))})}));
  CHECK(steps(run) == Words{"0:8/8", "20:0/0"});
  CHECK(run.work_groups.records_of(launch(0))[2].first_placed == at(ps(10)));
}

TEST_CASE("steps follow each other, a barrier inside a single cohort takes no time") {
  const FullRun run =
      run_fully(one_core(), workload_of({kernel_of(1, 2, {compute(ps(3)), barrier(), compute(ps(4))})}));
  CHECK(steps(run) == Words{"0:2/2", "7:0/0"});
}

TEST_CASE("a barrier waits for threads that are not yet placed") {
  // 5 + 3 of 5; the barrier of the second opens when its last two are placed at 10.
  const FullRun run = run_fully(
      partial_core(), workload_of({kernel_of(1, 5, {compute(ps(10))}), kernel_of(1, 5, {barrier(), compute(ps(10))})}));
  CHECK(steps(run) == Words{"0:8/5", "10:5/5", "20:0/0"});
  CHECK(run.work_groups.records_of(launch(1))[0].threads_first_placed == 3);
  CHECK(run.work_groups.records_of(launch(1))[0].fully_placed == at(ps(10)));
}

TEST_CASE("late threads that reach a barrier last release those that wait") {
  // Three threads reach the barrier at 6, the two late ones, placed at 10, at 16; then 4 more for all.
  const FullRun run = run_fully(
      partial_core(),
      workload_of({kernel_of(1, 5, {compute(ps(10))}), kernel_of(1, 5, {compute(ps(6)), barrier(), compute(ps(4))})}));
  CHECK(steps(run) == Words{"0:8/8", "6:8/5", "10:5/2", "16:5/5", "20:0/0"});
}

TEST_CASE("a barrier may be the last step") {
  const FullRun run = run_fully(
      partial_core(), workload_of({kernel_of(1, 5, {compute(ps(10))}), kernel_of(1, 5, {compute(ps(6)), barrier()})}));
  CHECK(steps(run) == Words{"0:8/8", "6:8/5", "10:5/2", "16:0/0"});
}

TEST_CASE("barriers in a row open in a row") {
  const FullRun run =
      run_fully(one_core(), workload_of({kernel_of(1, 2, {barrier(), barrier(), compute(ps(5)), barrier()})}));
  CHECK(steps(run) == Words{"0:2/2", "5:0/0"});
}

TEST_CASE("contexts come back thread by thread, or with the whole work-group") {
  const Workload workload = workload_of(
      {kernel_of(1, 5, {compute(ps(10))}), kernel_of(1, 5, {compute(ps(10))}), kernel_of(1, 1, {compute(ps(1))})});
  const FullRun by_thread = run_fully(partial_core(), workload);
  CHECK(steps(by_thread) == Words{"0:8/8", "10:3/3", "11:2/2", "20:0/0"});
  const DeviceSpec device = with(partial_core(), [](DeviceSpec& d) { d.release = Release::work_group; });
  const FullRun by_group = run_fully(device, workload);
  // The three threads that ended at 10 keep their contexts until the two late ones end.
  CHECK(steps(by_group) == Words{"0:8/8", "10:6/3", "11:5/2", "20:0/0"});
}

TEST_CASE("work-group slots, barrier registers and SLM limit what is resident, not contexts alone") {
  const auto first_wave = [](const DeviceSpec& device, const Kernel& kernel) {
    return run_fully(device, workload_of({kernel})).timeline.front().counts.resident.threads;
  };
  Kernel kernel = kernel_of(8, 1, {barrier(), compute(ps(5))});
  CHECK(first_wave(one_core(), kernel) == 8);
  CHECK(first_wave(with(one_core(), [](auto& d) { d.work_groups_per_core = 3; }), kernel) == 3);
  CHECK(first_wave(with(one_core(), [](auto& d) { d.barriers_per_core = 2; }), kernel) == 2);
  const Kernel named = kernel_of(8, 1, {Barrier{"a"}, Barrier{"b"}, Signal{"c"}, Wait{"c"}, compute(ps(5))});
  const auto two_barriers = with(one_core(), [](auto& d) { d.barriers_per_core = 2; });
  CHECK(first_wave(two_barriers, named) == 2);  // one register, however many names
  CHECK(first_wave(two_barriers, with(named, [](Kernel& k) { k.needs.barriers = 2; })) == 1);
  kernel.needs.slm.total = Bytes{2000};
  CHECK(first_wave(one_core(), kernel) == 4);
  CHECK(first_wave(with(one_core(), [](auto& d) { d.slm.sizes = {Bytes{4096}}; }), kernel) == 2);
}

TEST_CASE("SLM is taken whole with the first thread and released with the last") {
  Kernel kernel = kernel_of(1, 5, {compute(ps(10))});
  kernel.needs.slm.total = Bytes{100};
  const FullRun run = run_fully(partial_core(), workload_of({kernel_of(1, 5, {compute(ps(4))}), kernel}));
  REQUIRE(run.timeline.size() == 4);
  CHECK(run.timeline[0].counts.resident.slm == Bytes{100});
  CHECK(run.timeline[0].counts.work_groups_partial == 1);
  CHECK(run.timeline[1].counts.work_groups_partial == 0);
  CHECK(run.timeline[2].counts.resident.slm == Bytes{100});
  CHECK(run.timeline[3].counts.resident.slm == Bytes{0});
}

TEST_CASE("a work-group's factor stretches all its steps, rounded once") {
  Kernel kernel = kernel_of(2, 1, {compute(ps(5)), compute(ps(5))});
  kernel.variation.factors = {{group(1), Decimal{15, -1}}};
  const FullRun run = run_fully(one_core(), workload_of({kernel}));
  CHECK(run.work_groups.records_of(launch(0))[0].ended == at(ps(10)));
  CHECK(run.work_groups.records_of(launch(0))[1].ended == at(ps(16)));  // 7.5 rounds up to 8, twice
}

TEST_CASE("smaller work-groups at the edges have fewer threads") {
  Kernel kernel = kernel_of(3, 4, {compute(ps(5))});
  kernel.range.global[2] = 8 * 9;  // 4 + 4 + 1 threads
  kernel.edge_groups = EdgeGroups::smaller;
  const FullRun run = run_fully(one_core(), workload_of({kernel}));
  CHECK(steps(run) == Words{"0:8/8", "5:1/1", "10:0/0"});
  CHECK(run.record.threads_total == 9);
}

TEST_CASE("a small work-group at the edge may fit where a full one does not") {
  Kernel kernel = kernel_of(2, 6, {compute(ps(5))});
  kernel.range.global[2] = 8 * 8;  // 6 + 2 threads
  kernel.edge_groups = EdgeGroups::smaller;
  CHECK(steps(run_fully(one_core(), workload_of({kernel}))) == Words{"0:8/8", "5:0/0"});
}

TEST_CASE("a launch waits for its time and for those it comes after, whichever is later") {
  Workload workload = workload_of(
      {kernel_of(1, 1, {compute(ns(5))}), kernel_of(1, 1, {compute(ns(5))}), kernel_of(1, 1, {compute(ns(5))})});
  workload.launches[0].at = at(ns(2));
  workload.launches[1].after = {launch(0)};
  workload.launches[2].after = {launch(0)};
  workload.launches[2].at = at(ns(9));
  const FullRun run = run_fully(one_core(), workload);
  CHECK(run.record.first_dispatch == at(ns(2)));
  CHECK(run.record.launches[0].ended == at(ns(7)));
  CHECK(run.record.launches[1].first_dispatched == at(ns(7)));
  CHECK(run.record.launches[2].first_dispatched == at(ns(9)));
}

TEST_CASE("an idle gap between launches is a phase of 0") {
  Workload workload = workload_of({kernel_of(1, 1, {compute(ns(5))}), kernel_of(1, 2, {compute(ns(5))})});
  workload.launches[1].at = at(ns(10));
  const FullRun run = run_fully(one_core(), workload);
  CHECK(phase_threads(run.record) == std::vector<std::uint64_t>{1, 0, 2});
}

TEST_CASE("a row of the timeline stands exactly where something other than the time differs") {
  // At 5 ps one work-group follows another of the same size: nothing changes.
  const FullRun run = run_fully(one_core(), workload_of({kernel_of(2, 8, {compute(ps(5))})}));
  CHECK(steps(run) == Words{"0:8/8", "10:0/0"});
}

TEST_CASE("the timeline of the cores begins with a row for every core") {
  const FullRun run = run_fully(small_device(), workload_of({kernel_of(1, 2, {compute(ps(5))})}));
  REQUIRE(run.cores.points().size() == 3);
  CHECK(run.cores.points()[1].core == core(1));
  CHECK(run.cores.points()[1].resident.threads == 0);
  CHECK(run.cores.points()[2].time == at(ps(5)));
}

TEST_CASE("a run whose time would leave 64 bits ends with a named error") {
  Workload workload = workload_of({kernel_of(1, 1, {compute(ps(INT64_MAX / 2 + 10))})});
  CHECK_NOTHROW(run_fully(one_core(), workload));
  workload.launches[0].at = at(ps(INT64_MAX / 2));
  CHECK_THROWS_AS(run_fully(one_core(), workload), TimeOverflowError);
}

TEST_CASE("a workload that cannot run is refused before any time passes") {
  Workload workload = workload_of({kernel_of(1, 9, {compute(ps(5))})});
  CHECK(complaint(one_core(), workload).find("kernels[0].local: a work-group has 72 work-items") != std::string::npos);
  CHECK(complaint(one_core(), workload_of({kernel_of(1, 1, {barrier()})})).find("no step that takes time") !=
        std::string::npos);
  CHECK(complaint(one_core(), workload_of({kernel_of(1, 1, {compute(ps(0))})})).find("more than 0") !=
        std::string::npos);
  Kernel kernel = kernel_of(2, 1, {compute(ps(1))});
  kernel.variation.factors = {{group(0), Decimal{4, -1}}, {group(2), Decimal::whole(1)}};
  const std::string text = complaint(one_core(), workload_of({kernel}));
  CHECK(text.find("rounds to 0 ps") != std::string::npos);
  CHECK(text.find("there is no work-group 2; the kernel has 2") != std::string::npos);
  Workload cycle = workload_of({kernel_of(1, 1, {compute(ps(5))}), kernel_of(1, 1, {compute(ps(5))})});
  cycle.launches[0].after = {launch(1)};
  cycle.launches[1].after = {launch(0)};
  CHECK(complaint(one_core(), cycle).find("wait for each other in a cycle") != std::string::npos);
  CHECK(complaint(with(one_core(), [](auto& d) { d.dispatch.placement = "fil_first"; }),
                  workload_of({kernel_of(1, 1, {compute(ps(5))})}))
            .find("did you mean 'fill_first'?") != std::string::npos);
}

TEST_CASE("work left and no event to come is a stall that names what its threads wait for") {
  /// Places one work-group and then declines for ever.
  struct Once : Placement {
    bool asked = false;
    std::optional<std::size_t> choose(const IndexSet&) override {
      if (std::exchange(asked, true)) return std::nullopt;
      return 0;
    }
    bool always_chooses() const override { return false; }
  };
  Workload workload = workload_of({kernel_of(3, 2, {compute(ps(5))}), kernel_of(1, 1, {compute(ps(5))})});
  workload.launches[1].after = {launch(0)};
  InternalRunOptions options;
  PlacementCatalog policies = built_in_placements();
  policies.placements.push_back(
      {"once", [](const DeviceSpec&) -> std::unique_ptr<Placement> { return std::make_unique<Once>(); }});
  DispatchRules rules = one_core().dispatch;
  rules.placement = "once";
  const RunRecord record = simulate(one_core(), rules, workload, options, policies).record;
  CHECK(record.outcome == Outcome::deadlock);
  CHECK(record.end == at(ps(5)));
  REQUIRE(record.deadlock.launches.size() == 2);
  CHECK(record.deadlock.launches[0].work_groups_unplaced == 2);
  CHECK(record.deadlock.launches[1].waits_for == std::vector<LaunchId>{launch(0)});
  CHECK_FALSE(record.launches[0].fully_dispatched.has_value());
}

TEST_CASE("a release that is not booked on its core violates conservation") {
  InternalRunOptions options;
  options.faults.lost_release = 1;
  const Workload workload = workload_of({kernel_of(4, 4, {compute(ps(5))})});
  CHECK_THROWS_WITH(simulate(one_core(), one_core().dispatch, workload, options),
                    Catch::Contains("conservation is violated"));
  options.faults.lost_release = 4;
  CHECK_NOTHROW(simulate(one_core(), one_core().dispatch, workload, options));
}
