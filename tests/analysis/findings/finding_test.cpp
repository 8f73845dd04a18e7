#include "support/builders.hpp"
#include <gdsim/analysis/device_summary.hpp>
#include <gdsim/analysis/findings/findings.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

std::string finding_of(const DeviceSpec& device, const Workload& workload) {
  const FullRun run = run_fully(device, workload);
  const LaunchGraph graph = make_launch_graph(workload);
  const std::string title = "Finding";
  return finding_line(first_finding({title, device, device.dispatch, workload, run.record, graph}));
}

/// Of its 9 work-groups one is left over: 8 threads fit on the one core.
Kernel with_tail(std::int64_t microseconds) { return kernel_of(9, 1, {compute(us(microseconds))}); }

}  // namespace

TEST_CASE("how many work-groups a wave has is counted in whole clusters") {
  // Two groups of 6 cores, 4 threads each: 24 of one thread fit in each, but only 4 clusters of 5.
  DeviceSpec device = one_core();
  device.cores = 12;
  device.contexts_per_engine = 2;
  device.core_groups = {{"gpc", 2, {}}};
  device.clusters = ClusterRule{"gpc", 8, {}};
  device.dispatch.admission = Admission::whole;
  Kernel kernel = kernel_of(45, 1, {compute(us(1))});
  CHECK_THAT(finding_of(device, workload_of({kernel})), !Catch::StartsWith("Tail"));
  kernel.cluster = {5};
  CHECK_THAT(finding_of(device, workload_of({kernel})), Catch::StartsWith("Tail: 5 of 45 "));
}

TEST_CASE("the finding is about the kernel whose launch lasts longest, of equal ones about the first") {
  const auto one_by_one = [](Workload workload) {
    workload.launches[1].after = {launch(0)};
    return workload;
  };
  const auto finding = [&](std::int64_t first, std::int64_t second) {
    return finding_of(one_core(), one_by_one(workload_of({with_tail(first), with_tail(second)})));
  };
  CHECK_THAT(finding(1, 2), Catch::StartsWith("Tail: 1 of 9 ") && Catch::Contains(" of k1 is left over"));
  CHECK_THAT(finding(2, 1), Catch::Contains(" of k0 is left over"));
  CHECK_THAT(finding(1, 1), Catch::Contains(" of k0 is left over"));
}

TEST_CASE("where memory decides and work-groups load tiles, the finding says that no other one has loaded them") {
  DeviceSpec device = one_core();
  device.memory.emplace().levels = {{"L2", Bytes{1'000'000}, {}, {}}, {"DRAM", {}, BytesPerSecond{1'000'000'000}, {}}};
  const auto finding = [&](Kernel kernel) { return finding_of(device, workload_of({std::move(kernel)})); };
  const Step tile{Memory{Bytes{1'000}}};
  const Kernel tiled = kernel_of(8, 1, {Step{Loop{4, {tile, Barrier{}}}}});
  CHECK_THAT(finding(tiled),
             Catch::StartsWith("Roofline: DRAM is at ") &&
                 Catch::Contains(" peak bandwidth. `shared_working_set` is not set, so no work-group of k0"));
  CHECK_THAT(finding(kernel_of(8, 1, {Step{Loop{4, {tile}}}})), Catch::EndsWith(" of its peak bandwidth."));
  Kernel shared = tiled;
  shared.shared_working_set = Bytes{100'000'000};
  CHECK_THAT(finding(shared), Catch::EndsWith(" of its peak bandwidth."));
}

TEST_CASE("a plateau is that of all launches if any two are resident at once, whatever ran before them") {
  // A work-group of 1 us begins every 500 ns: two are resident where eight fit.
  const auto finding = [](const std::vector<std::vector<std::uint32_t>>& after) {
    Kernel kernel = kernel_of(64, 1, {compute(us(1))});
    Workload workload = workload_of({kernel, kernel, kernel});
    for (std::size_t i = 0; i < after.size(); ++i)
      for (const std::uint32_t before : after[i]) workload.launches[i].after.push_back(launch(before));
    DeviceSpec device = one_core();
    device.dispatch.interval = DispatchInterval{parse_step_time("500 ns").value.value(), {}};
    return finding_of(device, workload);
  };
  CHECK_THAT(finding({{}, {0}, {1}}), Catch::Contains(" of k0 are resident"));
  CHECK_THAT(finding({{}, {}, {}}), Catch::Contains(" of all launches are resident"));
  CHECK_THAT(finding({{}, {0}, {0}}), Catch::Contains(" of all launches are resident"));
  CHECK_THAT(finding({{}, {}, {0, 1}}), Catch::Contains(" of all launches are resident"));
}

TEST_CASE("where declared draws let work-groups end apart, no wave is counted") {
  Kernel kernel = with_tail(1);
  kernel.program.emplace_back(IssueSlots{{Decimal::whole(1'000), StepTime::Unit::picoseconds}});
  kernel.variation.is_lock_step = false;
  CHECK_THAT(finding_of(one_core(), workload_of({kernel})), Catch::StartsWith("Tail: 1 of 9 "));
  kernel.variation.draw = Draw{Distribution::uniform, Decimal{5, -3}};
  CHECK_THAT(finding_of(one_core(), workload_of({kernel})),
             Catch::StartsWith("Imbalance: some work-groups of k0 take longer than others. "));
}

TEST_CASE("a plateau that recovery makes is said to be one") {
  DeviceSpec device = one_core();
  device.dispatch.recovery = StepTime{Decimal::whole(2'000'000), StepTime::Unit::picoseconds};
  const std::string finding = finding_of(device, workload_of({kernel_of(64, 1, {compute(us(1))})}));
  CHECK_THAT(finding,
             Catch::StartsWith("Recovery: 3 ") &&
                 Catch::Contains(". A context stays empty for 2 us after its work-group has ended (`recovery`)"));
  // Also if the clock changes behind its end, and not if it changes before.
  device.clock_changes = {{at(ms(1'000)), Hertz{1}}};
  CHECK(finding_of(device, workload_of({kernel_of(64, 1, {compute(us(1))})})) == finding);
  device.clock_changes = {{at(us(1)), Hertz{500'000'000}}};
  CHECK_THAT(finding_of(device, workload_of({kernel_of(64, 1, {compute(us(1))})})), !Catch::Contains("`recovery`"));
}

TEST_CASE("launches that fill less than half of the device are said to be small, and not that something waits") {
  DeviceSpec device = one_core();
  device.cores = 8;
  device.dispatch.interval = DispatchInterval{parse_step_time("10 ns").value.value(), {}};
  Kernel kernel = kernel_of(16, 1, {compute(us(1))});
  Workload workload = workload_of({kernel});
  workload.launches.resize(40, workload.launches.front());
  for (std::uint32_t i = 1; i < 40; ++i) workload.launches[i].after = {launch(i - 1)};
  CHECK_THAT(finding_of(device, workload),
             Catch::StartsWith("Small: a launch of k0 has 16 ") &&
                 Catch::Contains(", but 64 fit on the device at once. Of the threads that fit, 2"));
  for (Launch& one : workload.launches) one.after.clear();  // side by side, they fill it
  CHECK_THAT(finding_of(device, workload), !Catch::StartsWith("Small"));
}

TEST_CASE("kernels that do not meet because their carve-outs differ are said to wait for that") {
  DeviceSpec device = one_core();
  device.slm.per_core = device.slm.per_work_group = Bytes{8192};
  device.slm.pools = {Bytes{0}, Bytes{8192}};
  device.dispatch.kernel_choice = KernelChoice::skip_blocked;
  Workload workload = workload_of({kernel_of(1, 4, {compute(us(10))}), kernel_of(1, 4, {compute(us(10))})});
  workload.kernels[1].needs.slm.total = Bytes{8192};
  CHECK_THAT(finding_of(device, workload), !Catch::Contains("drain"));
  device.dispatch.slm_reconfiguration = SlmReconfiguration::drains_core;
  CHECK_THAT(finding_of(device, workload),
             Catch::StartsWith("Placement: k1 waits 50.0 % of the run for cores to drain and change the size of"));
}

TEST_CASE("a kernel of whole waves has no tail because another one of which more fits was resident as well") {
  DeviceSpec device = one_core();
  Kernel half = kernel_of(8, 1, {compute(us(10))});
  half.needs.slm.total = Bytes{device.slm.per_core.count / 4};
  const Kernel full = kernel_of(16, 1, {compute(us(1))});
  Workload workload = workload_of({half, full});
  workload.launches[1].after = {launch(0)};
  CHECK_THAT(finding_of(device, workload), !Catch::StartsWith("Tail"));
}

TEST_CASE("where a launch draws as a whole, its work-groups end together, and its waves are counted") {
  Kernel kernel = with_tail(1);
  kernel.variation.draw = Draw{Distribution::uniform, Decimal{3, -1}, DrawPer::launch, 1};
  CHECK_THAT(finding_of(one_core(), workload_of({kernel})), Catch::StartsWith("Tail: 1 of 9 "));
}

TEST_CASE("a run in which nothing is resident for half of its time or more says so first") {
  DeviceSpec device = one_core();
  device.launch_latency = us(3);
  Workload two = workload_of({with_tail(1), with_tail(1)});
  two.launches[1].after = {launch(0)};
  two.launches[1].at = SimTime{20'000'000};
  CHECK_THAT(finding_of(device, two), Catch::StartsWith("Host: no thread is resident for "));
  device.launch_latency = us(0);
  CHECK_THAT(finding_of(device, two), Catch::StartsWith("Empty: no thread is resident for "));
  two.launches[1].at = SimTime{0};
  CHECK_THAT(finding_of(device, two), Catch::StartsWith("Tail: "));
}

TEST_CASE("a limiter is said in good English, one or several, in every vendor's words") {
  const auto said = [](const std::string& slm, const std::vector<Resource>& limiters) {
    DeviceSpec device = one_core();
    device.terms.slm = slm;
    device.slm.per_core = device.slm.per_work_group = Bytes{4096};
    device.work_groups_per_core.reset();
    Kernel kernel = kernel_of(64, 1, {compute(us(1))});
    for (const Resource limiter : limiters) {
      if (limiter == Resource::slm) kernel.needs.slm.total = Bytes{1024};
      if (limiter == Resource::work_group_slots) device.work_groups_per_core = 4;
    }
    return finding_of(device, workload_of({kernel}));
  };
  CHECK_THAT(said("SLM", {Resource::slm}), Catch::StartsWith("Limiter: SLM lets 4 work-groups of k0 fit on one core"));
  CHECK_THAT(said("LDS", {Resource::slm}), Catch::StartsWith("Limiter: LDS lets 4 work-groups of k0 fit"));
  CHECK_THAT(said("shared memory", {Resource::slm}), Catch::StartsWith("Limiter: shared memory lets 4 work-groups"));
  CHECK_THAT(said("SLM", {Resource::work_group_slots}),
             Catch::StartsWith("Limiter: work-group slots let 4 work-groups"));
  CHECK_THAT(said("SLM", {Resource::work_group_slots, Resource::slm}),
             Catch::StartsWith("Limiter: work-group slots and SLM let 4 work-groups"));
}

namespace {

std::string unused(const Workload& workload, DeviceSpec device = one_core()) {
  device.dispatch.admission = Admission::whole;
  const FullRun run = run_fully(device, workload);
  const auto found = unused_of(device, workload, run.record);
  if (!found) return {};
  return to_fixed(found->run.percent(), 1) + " " + to_fixed(found->last_wave.percent(), 1);
}

Kernel with_factors(std::uint64_t groups, std::vector<WorkGroupFactor> factors) {
  Kernel kernel = kernel_of(groups, 1, {compute(us(1))});
  kernel.variation.factors = std::move(factors);
  return kernel;
}

}  // namespace

TEST_CASE("what stays unused is what is not resident of what fits, over the run and from the last placement on") {
  // 8 threads fit at once.
  CHECK(unused(workload_of({kernel_of(16, 1, {compute(us(1))})})) == "0.0 0.0");
  CHECK(unused(workload_of({kernel_of(9, 1, {compute(us(1))})})) == "43.8 87.5");   // 9 of 16; 1 of 8
  CHECK(unused(workload_of({kernel_of(12, 1, {compute(us(1))})})) == "25.0 50.0");  // 12 of 16; 4 of 8
  // The last one of 8 lasts four times as long as the others: 11 of 32.
  CHECK(unused(workload_of({with_factors(8, {{group(7), Decimal::whole(4)}})})) == "65.6 65.6");
  // Of 16, the first of them, or the last: 19 us of work in 4 us, or in 5 us of which the last four follow the last
  // placement.
  CHECK(unused(workload_of({with_factors(16, {{group(0), Decimal::whole(4)}})})) == "40.6 81.3");
  CHECK(unused(workload_of({with_factors(16, {{group(15), Decimal::whole(4)}})})) == "52.5 65.6");
  // One after the other, of the longer one alone; at once, nothing is said.
  Workload two = workload_of({kernel_of(9, 1, {compute(us(1))}), kernel_of(12, 1, {compute(us(3))})});
  CHECK(unused(two).empty());
  two.launches[1].after = {launch(0)};
  CHECK(unused(two) == "25.0 50.0");
}
