#include <gdsim/import/profiles/scenario/plan_fits.hpp>
#include <gdsim/import/profiles/scenario/plan_times.hpp>
#include "support/builders.hpp"

#include <catch2/catch.hpp>

// What work-groups compute, so that a launch lasts as measured.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

DeviceSpec device_of_two_cores() {
  DeviceSpec device;
  device.id = "small";
  device.cores = 2;
  device.engines_per_core = 1;
  device.contexts_per_engine = 4;
  device.sub_group_sizes = {8};
  device.max_work_group_size = 64;
  device.dispatch.placement = "fill_first";
  return device;
}

Kernel kernel_of(std::uint64_t groups) {
  Kernel kernel;
  kernel.name = "k";
  kernel.range = {{1, 1, groups * 32}, {1, 1, 32}};  // a work-group fills a core
  kernel.sub_group = 8;
  return kernel;
}

Duration simulated(const DeviceSpec& device, Kernel kernel, Duration compute) {
  kernel.program = {Compute{picoseconds(static_cast<std::uint64_t>(compute.count))}};
  return lone_duration(device, kernel, {});
}

/// Launches of kernels with these computing times, at these microseconds, each fitted alone on the device.
ProfilePlan plan_of(const DeviceSpec& device, const std::vector<std::pair<std::int64_t, std::int64_t>>& launches) {
  ProfilePlan plan;
  plan.workload.queues = {{.name = "q"}};
  for (const auto& [at, compute] : launches) {
    Kernel kernel = kernel_of(2);
    kernel.name = "k" + std::to_string(plan.kernels.size());
    kernel.program = {Compute{picoseconds(static_cast<std::uint64_t>(compute) * 1'000'000)}};
    PlannedKernel planned;
    planned.fitted = {{compute * 1'000'000}, simulated(device, kernel, {compute * 1'000'000})};
    plan.kernels.push_back(planned);
    plan.workload.kernels.push_back(kernel);
    Launch launch{.name = kernel.name, .work = KernelId{static_cast<std::uint32_t>(plan.launches.size())}};
    launch.at = SimTime{at * 1'000'000};
    launch.queue = QueueId{0};
    plan.workload.launches.push_back(launch);
    PlannedLaunch measured;
    measured.row = plan.launches.size();
    measured.duration = planned.fitted.lasts;
    plan.launches.push_back(measured);
  }
  return plan;
}

}  // namespace

TEST_CASE("waves of work-groups share what was measured") {
  const DeviceSpec device = device_of_two_cores();
  DurationFit fit(device, kernel_of(6));
  const FittedDuration fitted = fit.fit({30'000'000});
  CHECK(fitted.compute == Duration{10'000'000});  // three waves on two cores
  CHECK(fitted.lasts == Duration{30'000'000});
}

TEST_CASE("what a launch costs and what cores recover is not computing") {
  DeviceSpec device = device_of_two_cores();
  device.launch_cost = LaunchCost(picoseconds(2'000'000), picoseconds(500'000));
  device.dispatch.recovery = picoseconds(100'000);
  DurationFit fit(device, kernel_of(6));
  const FittedDuration fitted = fit.fit({32'700'000});
  CHECK(fitted.lasts <= Duration{32'700'000});
  CHECK(fitted.lasts >= Duration{32'700'000 - 3'270});
  CHECK(fitted.compute <= Duration{10'000'000});
  CHECK(fitted.compute >= Duration{9'990'000});
}

TEST_CASE("a launch that is shorter than what it costs is fitted by the least, and says how long it then lasts") {
  DeviceSpec device = device_of_two_cores();
  device.launch_cost = LaunchCost(picoseconds(2'000'000));
  DurationFit fit(device, kernel_of(1));
  CHECK(fit.fit({1'000'000}).compute == Duration{1});
  CHECK(fit.fit({1'000'000}).lasts == Duration{2'000'001});
}

TEST_CASE("further durations of a kernel need few simulations") {
  const DeviceSpec device = device_of_two_cores();
  DurationFit fit(device, kernel_of(6));
  for (std::int64_t microseconds = 10; microseconds < 210; ++microseconds)
    CHECK(fit.fit({microseconds * 1'000'000}).lasts.count <= microseconds * 1'000'000);
  CHECK(fit.simulated() <= 400);
}

TEST_CASE("a kernel that the device refuses has its reason") {
  const DeviceSpec device = device_of_two_cores();
  Kernel kernel = kernel_of(1);
  kernel.range.local[2] = kernel.range.global[2] = 4'096;
  CHECK_FALSE(DurationFit(device, kernel).refusals().empty());
  CHECK(DurationFit(device, kernel_of(1)).refusals().empty());
}

TEST_CASE("a launch of many waves is fitted by two of them, and lasts to the picosecond as when it is simulated") {
  DeviceSpec device = device_of_two_cores();
  device.launch_cost = LaunchCost(picoseconds(2'000'000), picoseconds(500'000));
  device.dispatch.recovery = picoseconds(100'001);
  device.dispatch.interval = DispatchInterval{picoseconds(7'000), {}, "device"};
  for (const std::uint64_t groups : {1, 2, 3, 4, 5, 20'001}) {
    INFO(groups);
    DurationFit fit(device, kernel_of(groups));
    for (const std::int64_t per_wave : {20'000'000, 9'000'000, 31'000'000}) {
      const FittedDuration fitted = fit.fit({per_wave * static_cast<std::int64_t>(groups)});
      CHECK(fitted.lasts == simulated(device, kernel_of(groups), fitted.compute));
    }
    CHECK(fit.simulated_groups() <= 30);
  }
}

TEST_CASE("a launch whose dispatching takes longer than its computing is simulated whole") {
  DeviceSpec device = device_of_two_cores();
  device.dispatch.interval = DispatchInterval{picoseconds(1'000'000), {}, "device"};
  DurationFit fit(device, kernel_of(100));
  const FittedDuration fitted = fit.fit({100'500'000});
  CHECK(fitted.lasts == simulated(device, kernel_of(100), fitted.compute));
  CHECK(fitted.lasts <= Duration{100'500'000});
  CHECK(fit.simulated_groups() >= 100);
}

TEST_CASE("a plan that is simulated by busy periods has the times of the whole plan") {
  DeviceSpec device = device_of_two_cores();
  device.dispatch.recovery = picoseconds(300'000);
  // 0 is alone; 1 and 2 overlap, and end so late that 3, which would be alone, waits for them; 4 is alone again.
  const ProfilePlan plan = plan_of(device, {{0, 50}, {100, 50}, {110, 60}, {180, 10}, {500, 5}});
  PlanSimulator simulator(device, {});
  const std::vector<LaunchTimes> times = simulator.times_of(plan, Reaching::simulated);
  const RunResult whole = stoppable_run(compile(device, plan.workload).value(), {});
  REQUIRE(times.size() == 5);
  for (std::size_t i = 0; i < times.size(); ++i) {
    INFO(i);
    CHECK(times[i].begun == std::optional<SimTime>(*whole.record.launches[i].begun));
    CHECK(times[i].duration == *whole.record.launches[i].duration());
  }
  CHECK(*times[3].begun > SimTime{180'000'000});
  CHECK(simulator.groups() == 4 + 6);  // 1 and 2, then these with 3; neither 0 nor 4
  simulator.times_of(plan, Reaching::simulated);
  CHECK(simulator.groups() == 4 + 6);
}
