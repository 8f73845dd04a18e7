#include "support/builders.hpp"
#include "support/random_runs.hpp"

#include <gdsim/record/group_timeline.hpp>
#include <gdsim/record/launch_timeline.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/csv/launch_tables.hpp>
#include <gdsim/report/json/summary_json.hpp>
#include <gdsim/report/trace/perfetto_trace.hpp>
#include <gdsim/run/preflight.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <ctime>

// Periods that are alike pass at once, and nobody can tell.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

template <class T>
T between(T least, T most) {
  return *rc::gen::inRange<T>(least, static_cast<T>(most + 1));
}

struct StringSink : Sink {
  std::string text;
  void write(std::string_view more) override { text += more; }
};

/// Counts what it is told in closed form.
class Teller : public Observer {
 public:
  void instant(Picoseconds, std::span<const Fact> facts) override {
    ++told;
    for (const Fact& fact : facts) ended += fact.closes_group ? 1 : 0;
  }
  void repeated(const Segment& segment, std::uint64_t count) override {
    skipped += count * segment.shift().work_groups;
  }
  std::uint64_t most_repetitions(const Segment&) const override { return kAnyNumber; }

  std::uint64_t told = 0;
  std::uint64_t ended = 0;
  std::uint64_t skipped = 0;
};

Program draw_steady_program() {
  Program program{compute(ps(between(1, 6)))};
  for (int i = between(0, 3); i > 0; --i) {
    const auto place = program.begin() + between<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(program.size()));
    switch (between(0, 3)) {
      case 0: program.insert(place, compute(ps(between(1, 6)))); break;
      case 1: program.insert(place, Loop{between<std::uint64_t>(1, 4), {compute(ps(between(1, 3))), barrier()}}); break;
      case 2: program.insert(place, Only{{{0, 0}}, {compute(ps(between(1, 3)))}}); break;
      default: program.insert(place, barrier());
    }
  }
  return program;
}

/// Many equal work-groups, mostly; sometimes with factors of the first few; other launches that come when they will.
RandomRun draw_periodic_run() {
  RandomRun run = draw_run();
  const auto launches_children = [](const Kernel& kernel) { return has_step<LaunchChild>(kernel.program); };
  if (std::any_of(run.workload.kernels.begin(), run.workload.kernels.end(), launches_children)) return run;
  if (between(0, 2) > 0)
    run.device.dispatch.placement = *rc::gen::elementOf(
        std::vector<std::string>{"fill_first", "round_robin", "least_loaded", "most_room", "group_round_robin"});
  if (between(0, 3) > 0) run.workload.launches.resize(1);
  if (run.workload.launches.size() == 1) run.workload.launches.front().copy.reset();
  for (Launch& launch : run.workload.launches) {
    launch.host_waits.clear();
    launch.at = ps(between(0, 3) == 0 ? between(0, 300) : 0);
  }
  for (Kernel& kernel : run.workload.kernels) {
    if (between(0, 5) == 0) continue;
    const auto groups =
        *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(1, between(0, 2) > 0 ? 300 : 40));
    const std::uint64_t local = kernel.range.local[2];
    kernel.range.global[2] = groups * local;
    kernel.edge_groups = EdgeGroups::refused;
    kernel.variation.draw.reset();
    auto& factors = kernel.variation.factors;
    const auto latest = between(0, 1) == 0 ? 0 : between<std::uint64_t>(0, 12);
    std::erase_if(factors,
                  [&](const WorkGroupFactor& f) { return number_of(f.work_group) >= std::min(latest, groups); });
    const Program before = kernel.program;
    kernel.program = draw_steady_program();
    if (!preflight(run.device, run.device.dispatch, run.workload, built_in_policies()).empty()) kernel.program = before;
  }
  return run;
}

bool has_loop(const Workload& workload) {
  return std::any_of(workload.kernels.begin(), workload.kernels.end(),
                     [](const Kernel& kernel) { return has_step<Loop>(kernel.program); });
}

/// Every table, the trace and the record of a run.
std::string outputs(const RandomRun& drawn, Skipping skipping, std::uint64_t* skipped, KeepTimeline keep,
                    const MinPhase& min_phase, const RunBounds& bounds) {
  const std::string title = "periodic";
  CoreTimeline cores(drawn.device.cores);
  WorkGroupLog work_groups(drawn.workload.launches.size());
  LaunchTimeline launches(drawn.workload.launches.size());
  Teller teller;
  StringSink sink;
  PerfettoTrace trace(title, drawn.device, drawn.workload, sink);
  RunOptions options;
  options.min_phase = min_phase;
  options.bounds = bounds;
  options.keep_timeline = keep;
  options.skipping = skipping;
  options.observers = {&cores, &work_groups, &launches, &trace, &teller};
  const RunResult result = simulate(drawn.device, drawn.device.dispatch, drawn.workload, options);
  trace.finish(result.record.outcome, result.record.end);
  // Where a loop passes at once, what happens in the end happens in another order within its instant.
  if (has_loop(drawn.workload)) sink.text.clear();
  *skipped = teller.skipped;
  RunReport report{title, drawn.device, drawn.device.dispatch, drawn.workload, result.record};
  report.timeline = &result.timeline;
  report.cores = &cores;
  report.work_groups = &work_groups;
  write_timeline_csv(report, sink);
  write_cores_csv(report, sink);
  write_phases_csv(report, sink);
  write_work_groups_csv(report, sink);
  write_summary_json(report, sink);
  write_launches_csv(report, sink);
  for (const LaunchPoint& point : launches.points())
    sink.text += to_text(point.time) + " " + std::to_string(point.resident.threads) + "\n";
  return sink.text;
}

/// Of the processor.
double seconds_of(const DeviceSpec& device, const Workload& workload, RunRecord& record) {
  const std::clock_t begun = std::clock();
  record = simulate(device, device.dispatch, workload).record;
  return static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
}

constexpr std::uint64_t kMillionMillion = 1'000'000'000'000;

/// 10^12 work-groups of 10 us in all would outlast 64 bits on a small device: this one holds 2,112 at once.
DeviceSpec large_device() {
  return with(small_device(), [](DeviceSpec& d) {
    d.cores = 132;
    d.engines_per_core = 4;
    d.contexts_per_engine = 16;
    d.work_groups_per_core.count = 16;
    d.barriers_per_core.count = 16;
    d.max_work_group_size = 512;
  });
}

}  // namespace

TEST_CASE("periods that pass at once give the same bytes as periods that are gone through") {
  rc::prop("skipping on and off", [] {
    const RandomRun drawn = draw_periodic_run();
    RC_LOG(describe(drawn));
    MinPhase min_phase;
    if (between(0, 3) == 0) min_phase.time = ps(between(0, 12));
    if (between(0, 3) == 0) min_phase.share_of_run = {between<std::uint64_t>(0, 9), 100};
    RunBounds bounds;
    // Where a loop passes at once there is no instant at which a run could end.
    if (between(0, 7) == 0 && !has_loop(drawn.workload)) bounds.time = ps(between(1, 400));
    const auto keep = between(0, 1) == 0 ? KeepTimeline::no : KeepTimeline::yes;
    std::uint64_t skipped = 0;
    std::uint64_t none = 0;
    const std::string with = outputs(drawn, Skipping::yes, &skipped, keep, min_phase, bounds);
    const std::string without = outputs(drawn, Skipping::no, &none, keep, min_phase, bounds);
    RC_CLASSIFY(skipped > 0);
    RC_ASSERT(none == 0U);
    RC_ASSERT(with == without);
  });
}

TEST_CASE("a million million work-groups pass in a moment") {
  Kernel kernel = kernel_of(kMillionMillion, 4, {compute(us(10))});
  DeviceSpec device = large_device();
  SECTION("whole") {}
  SECTION("partial, with a barrier") {
    kernel = kernel_of(kMillionMillion, 5, {compute(us(4)), barrier(), compute(us(6))});
    device.dispatch.admission = Admission::partial;
  }
  SECTION("by turns, released as a whole") {
    device.dispatch.placement = "round_robin";
    device.release = Release::work_group;
  }
  RunRecord record;
  const double seconds = seconds_of(device, workload_of({kernel}), record);
  CHECK(seconds < 1);
  CHECK(record.outcome == Outcome::completed);
  CHECK(record.resident_time >= static_cast<Int128>(kMillionMillion) * 4 * 10'000'000);
}

TEST_CASE("a launch that arrives in the middle of what repeats meets the device as it is then") {
  Workload workload = workload_of({kernel_of(100'000, 2, {compute(ps(10))}), kernel_of(5, 1, {compute(ps(7))})});
  workload.launches[1].at = ps(60'003);
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.dispatch.kernel_choice = KernelChoice::round_robin;
    d.dispatch.placement = "round_robin";
  });
  const FullRun with_skips = run_fully(device, device.dispatch, workload);
  const FullRun without = run_fully(device, device.dispatch, workload, Skipping::no);
  CHECK(with_skips.record.launches[1].first_dispatched == without.record.launches[1].first_dispatched);
  CHECK(with_skips.record.end == without.record.end);
  CHECK(cores_of(with_skips, launch(1)) == cores_of(without, launch(1)));
}

TEST_CASE("only what differs is told to observers that need no more") {
  Teller teller;
  RunOptions options;
  options.observers = {&teller};
  const DeviceSpec device = small_device();
  simulate(device, device.dispatch, workload_of({kernel_of(1'000'000, 2, {compute(ps(10))})}), options);
  CHECK(teller.told < 100);
  CHECK(teller.ended + teller.skipped == 1'000'000);
}

TEST_CASE("a placement that does not tell its state is asked for every work-group") {
  struct Last : Placement {
    std::optional<std::size_t> choose(const IndexSet& offered) override {
      std::optional<std::size_t> last;
      for (auto at = offered.next(0); at; at = offered.next(*at + 1)) last = at;
      return last;
    }
  };
  Teller teller;
  RunOptions options;
  options.observers = {&teller};
  options.policies.placements.push_back(
      {"last", [](const DeviceSpec&) -> std::unique_ptr<Placement> { return std::make_unique<Last>(); }});
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) { d.dispatch.placement = "last"; });
  simulate(device, device.dispatch, workload_of({kernel_of(1'000, 2, {compute(ps(10))})}), options);
  CHECK(teller.ended == 1'000);
}
