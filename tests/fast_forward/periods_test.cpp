#include "support/builders.hpp"
#include "support/jittered_runs.hpp"
#include "support/random_runs.hpp"
#include "support/random_values.hpp"
#include "support/run_outputs.hpp"

#include <gdsim/record/segment_observer.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>

// Equal periods are fast-forwarded, and no output shows it.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Counts instants, and what is reported in closed form.
class PeriodCounter : public SegmentObserver {
 public:
  void on_instant(const Instant& now) override {
    ++instants;
    for (const Fact& fact : now.facts) ended += fact.closes_group ? 1 : 0;
  }
  void on_repeated(const Segment& segment, std::uint64_t count) override { skipped += count * segment.work_groups(); }

  std::uint64_t instants = 0;
  std::uint64_t ended = 0;
  std::uint64_t skipped = 0;
};

/// Whether periods were skipped in which one launch was dispatched, or several.
class Advances : public SegmentObserver {
 public:
  void on_instant(const Instant&) override {}
  void on_repeated(const Segment& segment, std::uint64_t) override {
    const GroupCounts& counts = segment.shift().work_groups;
    const auto moved =
        std::count_if(counts.begin(), counts.end(), [](const GroupCount& one) { return one.work_groups > 0; });
    of_one |= moved == 1;
    of_several |= moved > 1;
  }

  bool of_one = false;
  bool of_several = false;
};

Step draw_steady_step() {
  const auto time = [] { return StepTime{Decimal::whole(between<std::uint64_t>(1, 6)), {}}; };
  switch (between(0, 9)) {
    case 8: {
      const Memory load{Bytes{between<std::int64_t>(1, 30)}, true};
      return Loop{between<std::uint64_t>(1, 40), {load, Compute{time()}, WaitMemory{between<std::uint64_t>(0, 2)}}};
    }
    case 0:
    case 1: return Compute{time()};
    case 2: return Loop{between<std::uint64_t>(1, 4), {Compute{time()}, barrier()}};
    case 3: return Only{{{0, 0}}, {Compute{time()}}};
    case 4: return between(0, 1) == 0 ? Step(IssueSlots{time()}) : draw_instructions();
    case 5: return Memory{Bytes{between<std::int64_t>(1, 9)}};
    case 6: return Slm{between<std::uint64_t>(1, 3), between<std::uint64_t>(0, 3), 4};
    case 7:
      return Loop{between<std::uint64_t>(1, 40), {IssueSlots{time()}, Memory{Bytes{between<std::int64_t>(1, 9)}}}};
    default: return barrier();
  }
}

Program draw_steady_program() {
  Program program{compute(ps(between(1, 6)))};
  for (int i = between(0, 3); i > 0; --i)
    program.insert(program.begin() + between<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(program.size())),
                   draw_steady_step());
  return program;
}

enum class Launches { mostly_one, several };

/// Mostly, nothing keeps launches from being there at once.
void free_launches(std::vector<Launch>& launches) {
  if (launches.size() == 1) {
    launches.push_back(launches.front());
    launches.back().name = "again";
  }
  for (Launch& launch : launches) {
    if (between(0, 3) == 0) continue;
    launch.after.clear();
    launch.queue.reset();
    launch.reads.clear();
    launch.writes.clear();
    if (!launch.is_kernel()) launch.work = KernelLaunch{};
  }
}

/// Many equal work-groups, mostly; sometimes with factors of the first few; other launches that arrive at any time.
RandomRun draw_periodic_run(Launches launches) {
  RandomRun run = draw_run();
  const auto launches_children = [](const Kernel& kernel) { return has_step<LaunchChild>(kernel.program); };
  if (std::any_of(run.workload.kernels.begin(), run.workload.kernels.end(), launches_children)) return run;
  if (between(0, 2) > 0)
    run.device.dispatch.placement = *rc::gen::elementOf(
        std::vector<std::string>{"fill_first", "round_robin", "least_loaded", "most_room", "group_round_robin"});
  if (launches == Launches::several) {
    free_launches(run.workload.launches);
    run.device.dispatch.kernel_choice = one_of(
        {KernelChoice::head_only, KernelChoice::skip_blocked, KernelChoice::round_robin, KernelChoice::priority});
  } else if (between(0, 3) > 0) {
    run.workload.launches.resize(1);
  }
  if (Launch& first = run.workload.launches.front(); run.workload.launches.size() == 1 && !first.is_kernel())
    first.work = KernelLaunch{};
  for (Launch& launch : run.workload.launches) {
    launch.host_waits.clear();
    launch.at = at(ps(between(0, 3) == 0 ? between(0, 300) : 0));
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
    if (!can_run(run.device, run.device.dispatch, run.workload)) kernel.program = before;
  }
  return run;
}

constexpr std::uint64_t kMillionMillion = 1'000'000'000'000;

/// 10^12 work-groups of 10 us in all would outlast 64 bits on a small device: this one holds 2,112 at once.
DeviceSpec large_device() {
  return with(small_device(), [](DeviceSpec& d) {
    d.cores = 132;
    d.engines_per_core = 4;
    d.contexts_per_engine = 16;
    d.work_groups_per_core = 16;
    d.barriers_per_core = 16;
    d.max_work_group_size = 512;
  });
}

}  // namespace

TEST_CASE("fast-forwarded periods give the same bytes as simulated ones") {
  rc::prop("fast-forwarding on and off", [] {
    const RandomRun drawn = draw_periodic_run(Launches::mostly_one);
    RC_LOG(describe(drawn));
    InternalRunOptions options;
    if (between(0, 3) == 0) options.min_phase.time = ps(between(0, 12));
    if (between(0, 3) == 0) options.min_phase.share_of_run = {between<std::uint64_t>(0, 9), 100};
    // Where a loop is fast-forwarded there is no instant at which a run could end.
    if (between(0, 7) == 0 && !has_loop(drawn.workload)) options.bounds.time = at(ps(between(1, 400)));
    options.keep_timeline = between(0, 1) == 0 ? KeepTimeline::no : KeepTimeline::yes;
    PeriodCounter counter;
    options.observers = {&counter};
    const RunOutputs with = outputs_of(drawn, options);
    RC_CLASSIFY(counter.skipped > 0);
    counter.skipped = 0;
    options.fast_forward = FastForward::no;
    const RunOutputs without = outputs_of(drawn, options);
    RC_ASSERT(counter.skipped == 0U);
    RC_CLASSIFY(with.has_loops, "the timeline keeps what repeats once");
    RC_ASSERT(with.tables == without.tables);
    RC_ASSERT(with.pictures == without.pictures);
    RC_ASSERT(with.trace == without.trace);
  });
}

TEST_CASE("fast-forwarded periods of concurrent launches give the same bytes as simulated ones") {
  rc::prop("fast-forwarding on and off", [] {
    const RandomRun drawn = draw_periodic_run(Launches::several);
    RC_PRE(can_run(drawn.device, drawn.device.dispatch, drawn.workload));
    RC_LOG(describe(drawn));
    InternalRunOptions options;
    options.keep_timeline = between(0, 1) == 0 ? KeepTimeline::no : KeepTimeline::yes;
    Advances advances;
    options.observers = {&advances};
    const BothWays runs = outputs_both_ways(drawn, options);
    RC_LOG(runs.first_difference());
    RC_CLASSIFY(advances.of_one, "periods in which one launch is dispatched");
    RC_CLASSIFY(advances.of_several, "periods in which several are");
    RC_ASSERT(runs.are_same());
  });
}

TEST_CASE("work-groups whose slots are reused give the same bytes as those that release them") {
  rc::prop("fast-forwarding on and off, factors drawn", [] {
    RandomRun drawn = draw_run();
    DispatchRules& rules = drawn.device.dispatch;
    rules.placement = *rc::gen::elementOf(
        std::vector<std::string>{"fill_first", "round_robin", "least_loaded", "most_room", "group_round_robin"});
    rules.kernel_choice = one_of({KernelChoice::head_only, KernelChoice::priority});
    drawn.workload.launches.resize(between<std::size_t>(1, std::min<std::size_t>(2, drawn.workload.launches.size())));
    for (Kernel& kernel : drawn.workload.kernels) {
      RC_PRE(!has_step<LaunchChild>(kernel.program));
      kernel.edge_groups = EdgeGroups::refused;
      kernel.range.global[2] = kernel.range.local[2] * between<std::uint64_t>(1, 60);
      if (between(0, 2) > 0) kernel.program = {compute(ps(between(50, 90)))};
      const auto factors = kernel.range.group_count();
      std::erase_if(kernel.variation.factors, [&](const auto& f) { return number_of(f.work_group) >= factors; });
      kernel.variation.draw = Draw{Distribution::uniform, Decimal{3, -1}, DrawPer::work_group, 1};
    }
    RC_PRE(can_run(drawn.device, rules, drawn.workload));
    RC_LOG(describe(drawn));
    InternalRunOptions options;
    options.keep_timeline = KeepTimeline::yes;
    SlotCounter reused;
    options.observers = {&reused};
    const std::string with = counts_of(drawn, options);
    RC_CLASSIFY(reused.count > 0, "with slots that are reused");
    options.fast_forward = FastForward::no;
    RC_ASSERT(with == counts_of(drawn, options));
  });
}

TEST_CASE("a timeline holds what repeats once, and its pictures are those of the simulated run") {
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) { d.dispatch.admission = Admission::partial; });
  const auto run = [&](std::uint64_t groups) {
    return RandomRun{
        device, workload_of({kernel_of(groups, 5, {compute(us(4)), Only{{{0, 0}}, {compute(us(3))}}, barrier()})})};
  };
  InternalRunOptions options;
  options.keep_timeline = KeepTimeline::yes;
  const RunOutputs with = outputs_of(run(2'000), options);
  options.fast_forward = FastForward::no;
  const RunOutputs without = outputs_of(run(2'000), options);
  CHECK(with.has_loops);
  CHECK(with.tables == without.tables);
  CHECK(with.pictures == without.pictures);

  options.fast_forward = FastForward::yes;
  const RunResult many = simulate(device, device.dispatch, run(1'000'000'000).workload, options);
  CHECK(many.timeline.kept() < 1'000);
  CHECK(many.timeline.size() >= 1'000'000'000);
}

TEST_CASE("launches of a thousand million work-groups each take few events, whichever goes first") {
  constexpr std::uint64_t groups = 1'000'000'000;
  DeviceSpec device = large_device();
  Workload workload = workload_of({kernel_of(groups, 4, {compute(us(10))}), kernel_of(groups, 3, {compute(us(7))})});
  SECTION("one after the other") {}
  SECTION("whichever fits") { device.dispatch.kernel_choice = KernelChoice::skip_blocked; }
  SECTION("in turn") { device.dispatch.kernel_choice = KernelChoice::round_robin; }
  SECTION("on cores of their own") {
    workload.launches[0].as_kernel().cores = {{core(0), core(99)}};
    workload.launches[1].as_kernel().cores = {{core(100), core(131)}};
    device.dispatch.kernel_choice = KernelChoice::skip_blocked;
  }
  const RunResult run = simulate(device, device.dispatch, workload);
  CHECK(run.events < 500'000);
  for (const LaunchRecord& launch : run.record.launches) CHECK(launch.work_groups_ended == groups);
}

TEST_CASE("work-groups with factors of their own lie among fast-forwarded ones") {
  constexpr std::uint64_t groups = 1'000'000'000;
  const DeviceSpec device = large_device();
  Workload workload = workload_of({kernel_of(groups, 4, {compute(us(10))})});
  for (const std::uint64_t number : {7U, 499'999'999U, 500'000'123U, 999'999'998U})
    workload.kernels[0].variation.factors.push_back({group(number), Decimal::whole(3)});
  const RunResult run = simulate(device, device.dispatch, workload);
  CHECK(run.events < 500'000);
  CHECK(run.record.launches[0].work_groups_ended == groups);
  CHECK(run.record.resident_time == Int128{4} * (groups + 8) * us(10).count);
}

TEST_CASE("a million million work-groups of one launch take few events") {
  Kernel kernel = kernel_of(kMillionMillion, 4, {compute(us(10))});
  DeviceSpec device = large_device();
  SECTION("whole") {}
  SECTION("partial, with a barrier") {
    kernel = kernel_of(kMillionMillion, 5, {compute(us(4)), barrier(), compute(us(6))});
    device.dispatch.admission = Admission::partial;
  }
  SECTION("sharing issue slots") {
    kernel = kernel_of(kMillionMillion, 4, {compute(us(10)), IssueSlots{{Decimal::whole(3'000), {}}}, barrier()});
    kernel.program.push_back(compute(ns(1)));
  }
  SECTION("by turns, released as a whole") {
    device.dispatch.placement = "round_robin";
    device.release = Release::work_group;
  }
  const RunResult run = simulate(device, device.dispatch, workload_of({kernel}));
  CHECK(run.events < 250'000);  // that many pay for the images of its state
  CHECK(run.record.outcome == Outcome::completed);
  CHECK(run.record.resident_time >= static_cast<Int128>(kMillionMillion) * 4 * 10'000'000);
}

TEST_CASE("a launch that arrives amid repeating periods finds the device in its state at that time") {
  Workload workload = workload_of({kernel_of(100'000, 2, {compute(ps(10))}), kernel_of(5, 1, {compute(ps(7))})});
  workload.launches[1].at = at(ps(60'003));
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.dispatch.kernel_choice = KernelChoice::round_robin;
    d.dispatch.placement = "round_robin";
  });
  const FullRun with_skips = run_fully(device, device.dispatch, workload);
  const FullRun without = run_fully(device, device.dispatch, workload, FastForward::no);
  CHECK(with_skips.record.launches[1].first_dispatched == without.record.launches[1].first_dispatched);
  CHECK(with_skips.record.end == without.record.end);
  CHECK(cores_of(with_skips, launch(1)) == cores_of(without, launch(1)));
}

TEST_CASE("only what differs is reported to observers that need no more") {
  PeriodCounter counter;
  InternalRunOptions options;
  options.observers = {&counter};
  const DeviceSpec device = small_device();
  simulate(device, device.dispatch, workload_of({kernel_of(1'000'000, 2, {compute(ps(10))})}), options);
  CHECK(counter.instants < 100);
  CHECK(counter.ended + counter.skipped == 1'000'000);
}

TEST_CASE("a placement that does not describe its state is called for every work-group") {
  struct Last : Placement {
    std::optional<std::size_t> choose(const IndexSet& offered) override {
      std::optional<std::size_t> last;
      for (auto at = offered.next(0); at; at = offered.next(*at + 1)) last = at;
      return last;
    }
  };
  PeriodCounter counter;
  InternalRunOptions options;
  options.observers = {&counter};
  PolicyCatalog policies = built_in_policies();
  policies.placements.push_back(
      {"last", [](const DeviceSpec&) -> std::unique_ptr<Placement> { return std::make_unique<Last>(); }});
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) { d.dispatch.placement = "last"; });
  simulate(device, device.dispatch, workload_of({kernel_of(1'000, 2, {compute(ps(10))})}), options, policies);
  CHECK(counter.ended == 1'000);
}

TEST_CASE("a period is found though parts of it look alike: one work-group per cycle, slot after slot of each core") {
  // 36 cores of 8 slots, one placed every nanosecond: each slot is taken again after 500 ns and 100 of recovery.
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.cores = 36;
    d.dispatch.placement = "most_room";
    d.dispatch.interval = DispatchInterval{{Decimal::whole(1), StepTime::Unit::cycles}, {}, "device"};
    d.dispatch.recovery = StepTime{Decimal::whole(100), StepTime::Unit::cycles};
  });
  const Workload workload = workload_of({kernel_of(kMillionMillion, 1, {compute(ps(500'000))})});
  const RunResult run = simulate(compile(device, device.dispatch, workload).value());
  constexpr auto periods = static_cast<std::int64_t>(kMillionMillion / 288);
  constexpr auto left = static_cast<std::int64_t>(kMillionMillion % 288);
  CHECK(run.record.end == at(ps(periods * 600'000 + (left - 1) * 1'000 + 500'000)));
  CHECK(run.events < 50'000);
}
