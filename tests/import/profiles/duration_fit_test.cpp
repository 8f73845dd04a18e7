#include "support/builders.hpp"

#include <gdsim/import/profiles/scenario/duration_fit.hpp>

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
