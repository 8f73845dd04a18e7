#include "benchmark/jobs.hpp"
#include "support/builders.hpp"
#include "support/random_runs.hpp"

#include <gdsim/host/host_costs.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

// Invariants of every run of a graph of launches. `tools/test instructions` measures the cost of many launches.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// A lower bound of the time of a launch of the kernel alone on the device: the fixed steps of its slowest work-group.
Duration least_time(const Kernel& kernel) {
  if (draw_in_force(kernel)) return ps(0);  // whatever was drawn
  const auto time_of = [&](const Decimal& factor) {
    Duration sum;
    for (const Step& step : kernel.program)
      if (const auto* busy = std::get_if<Compute>(&step)) sum = sum + *resolve(busy->time, Hertz{1}, factor);
    return sum;
  };
  Duration min = kernel.variation.factors.size() < kernel.range.group_count() ? time_of(Decimal::whole(1)) : ps(0);
  for (const WorkGroupFactor& entry : kernel.variation.factors) min = std::max(min, time_of(entry.factor));
  return min;
}

Duration least_time(const RandomRun& run, const Launch& launch) {
  if (launch.is_kernel()) return least_time(run.workload.kernel_of(launch));
  return *duration_of(launch.as_copy(), *run.device.copy);
}

}  // namespace

TEST_CASE("no launch starts before those it waits for have ended, nor before the host submitted it") {
  rc::prop("order of launches", [] {
    const RandomRun drawn = draw_run();
    RC_LOG(describe(drawn));
    const RunRecord record = run_fully(drawn.device, drawn.workload).record;
    const LaunchGraph graph = make_launch_graph(drawn.workload);
    for (std::size_t i = 0; i < record.launches.size(); ++i) {
      const LaunchRecord& launch = record.launches[i];
      if (drawn.workload.launches[i].parent() == nullptr)
        RC_ASSERT(*launch.submitted >= drawn.workload.launches[i].at + drawn.device.submit_overhead);
      RC_ASSERT(*launch.ready >= *launch.submitted + drawn.device.launch_latency);
      RC_ASSERT(*launch.first_dispatched >= *launch.ready);
      RC_ASSERT(*launch.ended > *launch.first_dispatched);
      for (const Dependency& dependency : graph.predecessors[i])
        RC_ASSERT(*launch.ready >= *record.launches[index_of(dependency.before)].ended + drawn.device.dependency_gap);
      for (const LaunchId before : drawn.workload.launches[i].host_waits)
        RC_ASSERT(*launch.submitted >= *record.launches[index_of(before)].ended + drawn.device.submit_overhead);
    }
  });
}

TEST_CASE("a run is at least as long as its longest chain, and as its work over what the device can hold") {
  rc::prop("lower bounds", [] {
    const RandomRun drawn = draw_run();
    RC_LOG(describe(drawn));
    const RunRecord record = run_fully(drawn.device, drawn.workload).record;
    const LaunchGraph graph = make_launch_graph(drawn.workload);
    std::vector<SimTime> ends(record.launches.size());
    Int128 work = 0;
    for (const Milestone& milestone : graph.order) {
      if (milestone.event == Milestone::Event::submitted) continue;
      const std::size_t i = index_of(milestone.launch);
      for (const Dependency& dependency : graph.predecessors[i])
        ends[i] = std::max(ends[i], ends[index_of(dependency.before)]);
      ends[i] = ends[i] + least_time(drawn, drawn.workload.launches[i]);
      RC_ASSERT(*record.launches[i].ended >= ends[i]);
      work += record.launches[i].resident_time;
    }
    RC_ASSERT(record.end >= *std::max_element(ends.begin(), ends.end()));
    RC_ASSERT(work == record.resident_time);
    RC_ASSERT(Int128{record.duration().count} * static_cast<std::int64_t>(record.contexts_total) >= work);
  });
}

TEST_CASE("a launch without slack ends the run or makes another without slack ready, and the path leads to the end") {
  rc::prop("critical path", [] {
    const RandomRun drawn = draw_run();
    RC_LOG(describe(drawn));
    const RunRecord record = run_fully(drawn.device, drawn.workload).record;
    for (const LaunchRecord& launch : record.launches) RC_ASSERT(launch.slack->count >= 0);
    RC_ASSERT(!record.critical_path.empty());
    RC_ASSERT(*record.launches[index_of(record.critical_path.back())].ended == record.end);
    for (std::size_t i = 0; i < record.critical_path.size(); ++i) {
      const LaunchRecord& launch = record.launches[index_of(record.critical_path[i])];
      RC_ASSERT(launch.is_critical());
      if (i > 0) RC_ASSERT(*launch.ready >= *record.launches[index_of(record.critical_path[i - 1])].ended);
    }
  });
}

TEST_CASE("a later end of a launch by no more than its slack does not make the run longer, where nothing is scarce") {
  rc::prop("slack holds", [](std::uint32_t seed) {
    DeviceSpec device = small_device();
    device.cores = 16;
    const auto count = 2 + seed % 6;
    Workload workload;
    for (std::uint32_t i = 0; i < count; ++i) {
      workload.kernels.push_back(kernel_of(1, 1, {compute(ps(1 + *rc::gen::inRange(0, 9)))}));
      Launch next;
      next.work = KernelId{i};
      for (std::uint32_t before = 0; before < i; ++before)
        if (*rc::gen::inRange(0, 3) == 0) next.after.push_back(LaunchId{before});
      if (i > 0 && *rc::gen::inRange(0, 4) == 0) next.host_waits = {LaunchId{*rc::gen::inRange(0U, i)}};
      workload.launches.push_back(next);
    }
    const RunRecord record = run_fully(device, workload).record;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto later = [&](std::int64_t by) {
        Workload changed = workload;
        changed.kernels[i].program.push_back(compute(ps(by)));
        return run_fully(device, changed).record.end;
      };
      const std::int64_t slack = record.launches[i].slack->count;
      if (slack > 0) RC_ASSERT(later(slack) == record.end);
      RC_ASSERT(later(slack + 1) == record.end + ps(1));
    }
  });
}

TEST_CASE("each of ten thousand launches in one graph takes a few events, whichever is chosen") {
  for (const KernelChoice choice : {KernelChoice::head_only, KernelChoice::skip_blocked, KernelChoice::round_robin}) {
    const benchmarks::Job job = benchmarks::launch_graph_job(10'000, choice);
    const RunResult run = benchmarks::run(job);
    CHECK(run.record.outcome == Outcome::completed);
    CHECK(run.events < 10 * job.workload.launches.size());
  }
}

TEST_CASE("each of ten thousand launches of one kernel that take cores for themselves in turn takes a few events") {
  const benchmarks::Job job = benchmarks::exclusive_launches_job(10'000);
  const RunResult run = benchmarks::run(job);
  CHECK(run.record.outcome == Outcome::completed);
  CHECK(run.events < 20 * job.workload.launches.size());
}
