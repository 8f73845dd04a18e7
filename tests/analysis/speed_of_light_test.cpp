#include "support/builders.hpp"

#include <gdsim/analysis/speed/speed_of_light.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

struct Measured {
  SpeedOfLight run;
  std::vector<SpeedOfLight> kernels;
  std::vector<std::optional<NearestPeak>> launches;
};

Measured measured(const DeviceSpec& device, const Workload& workload) {
  const FullRun run = run_fully(device, workload);
  const LaunchGraph graph = make_launch_graph(workload);
  const std::string title = "Speed";
  const RunReport report{title, device, device.dispatch, workload, run.record, graph};
  return {speed_of_light(report), speed_of_kernels(report), bounds_of_launches(report)};
}

std::string percent(const std::optional<Ratio>& ratio) { return ratio ? to_fixed(*ratio, 2) : "none"; }

/// One GB/s is 1,000 B per microsecond. Steps of 8,000 bytes by one thread.
DeviceSpec with_memory(std::optional<Bytes> cache) {
  DeviceSpec device = one_core();
  device.clock = Hertz{1'000'000'000};
  MemoryRule& memory = device.memory.emplace();
  if (cache) memory.levels.push_back({"L2", cache, BytesPerSecond{4'000'000'000}, {}});
  memory.levels.push_back({"DRAM", {}, BytesPerSecond{1'000'000'000}, {}});
  return device;
}

Kernel reader(std::uint64_t groups) { return kernel_of(groups, 1, {Memory{.bytes = Bytes{8'000}}}); }

}  // namespace

TEST_CASE("bytes over the active time are the achieved bandwidth, and its part of the level's bandwidth") {
  Kernel kernel = reader(4);
  kernel.program.emplace_back(Compute{us(32)});
  const Measured found = measured(with_memory({}), workload_of({kernel}));
  // 32,000 bytes take 32 us; then 32 us of computing.
  REQUIRE(found.run.memory.size() == 1);
  CHECK(found.run.memory[0].name == "DRAM");
  CHECK(found.run.memory[0].amount == 32'000);
  CHECK(to_fixed(found.run.memory[0].per_second, 0) == "500000000");
  CHECK(percent(found.run.memory[0].percent) == "50.00");
  CHECK(achieved_words(found.run) == "DRAM 500 MB/s (50 %)");
}

TEST_CASE("a level serves what its capacity holds of a working set, and the next one the rest") {
  Kernel kernel = reader(8);
  kernel.shared_working_set = Bytes{4'000'000};
  const Measured found = measured(with_memory(Bytes{1'000'000}), workload_of({kernel}));
  REQUIRE(found.run.memory.size() == 2);
  CHECK(found.run.memory[0].amount == 16'000);
  CHECK(found.run.memory[1].amount == 48'000);
  CHECK(percent(found.run.memory[1].percent) == "100.00");
  CHECK(nearest_to_peak(found.run)->name == "DRAM");
}

TEST_CASE("operations count lanes, multiply-adds count as they are written, and slots count instructions") {
  DeviceSpec device = one_core();  // 2 engines, sub-groups of 8
  device.clock = Hertz{1'000'000'000};
  device.arithmetic = {{"fp32", Decimal::whole(4)}, {"tensor_bf16", Decimal::whole(256)}};
  Kernel kernel = kernel_of(2, 1, {IssueSlots{{}, {{"fp32", 500}}}, IssueSlots{{}, {{"tensor_bf16", 256'000}}}});
  const Measured found = measured(device, workload_of({kernel}));
  // On each engine: 1,000 cycles of fp32, for 500 of which it issues, then 1,000 of tensor.
  REQUIRE(found.run.pipes.size() == 2);
  CHECK(found.run.pipes[0].amount == 2 * 500 * 8);
  CHECK(found.run.pipes[1].amount == 2 * 256'000);
  CHECK(percent(found.run.pipes[0].percent) == "50.00");
  CHECK(percent(found.run.pipes[1].percent) == "50.00");
  CHECK(percent(found.run.issue) == "25.00");
  CHECK(achieved_words(found.run) == "fp32 4.00 Gop/s (50 %), tensor_bf16 512 GFLOP/s (50 %), issue slots 25 %");
}

TEST_CASE("written factors scale amounts, loops and threads multiply them, and other threads do not count") {
  DeviceSpec device = one_core();
  device.clock = Hertz{1'000'000'000};
  device.arithmetic = {{"fp32", Decimal::whole(8)}};
  Program body{IssueSlots{{}, {{"fp32", 100}}}};
  Kernel kernel = kernel_of(2, 2, {Loop{3, {Only{{{1, 1}}, body}}}});
  kernel.variation.factors = {{group(1), Decimal{15, -1}}};
  const Measured found = measured(device, workload_of({kernel}));
  REQUIRE(found.run.pipes.size() == 1);
  CHECK(found.run.pipes[0].amount == 3 * 100 * 8 + 3 * 150 * 8);
}

TEST_CASE("a kernel is measured while it is active, and a launch beside all that others use then") {
  Workload workload = workload_of({reader(4), kernel_of(1, 1, {compute(us(32))}), reader(4)});
  workload.launches[1].after = {launch(0)};
  workload.launches[2].after = {launch(0)};
  const Measured found = measured(with_memory({}), workload);
  CHECK(percent(found.run.memory[0].percent) == "100.00");
  CHECK(percent(found.kernels[0].memory[0].percent) == "100.00");
  CHECK(found.kernels[1].memory.empty());
  REQUIRE(found.launches[1]);
  CHECK(found.launches[1]->name == "DRAM");
  CHECK(to_fixed(found.launches[1]->percent, 1) == "100.0");
}

TEST_CASE("what was not used is not there, and a level without a bandwidth has no percentage") {
  DeviceSpec device = with_memory({});
  CHECK(measured(device, workload_of({kernel_of(1, 1, {compute(us(1))})})).run.memory.empty());
  device.memory->levels[0].bandwidth.reset();
  device.memory->levels[0].latency = picoseconds(1'000'000);
  const Measured found = measured(device, workload_of({reader(1)}));
  REQUIRE(found.run.memory.size() == 1);
  CHECK(percent(found.run.memory[0].percent) == "none");
  CHECK_FALSE(nearest_to_peak(found.run));
}

TEST_CASE("atomics to one address are measured by the time in which that address is served") {
  DeviceSpec device = with_memory({});
  device.atomics.global = Decimal::whole(1);
  device.memory->levels[0].bandwidth = BytesPerSecond{1'000'000'000'000};
  Kernel kernel = kernel_of(4, 1, {Atomic{1'000, 1, AtomicSpace::global}});
  const Measured found = measured(device, workload_of({kernel}));
  REQUIRE(found.run.atomics);
  CHECK(found.run.atomics->numerator > found.run.atomics->denominator * 80);
  CHECK(nearest_to_peak(found.run)->name == "atomics");
}
