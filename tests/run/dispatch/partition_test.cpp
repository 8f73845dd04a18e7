#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

// Groups of cores and partitions across them: small_device() has 2 cores of 8 contexts.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

DeviceSpec device_with(std::uint32_t cores, CoreGroups groups, PartitionShare share) {
  return with(small_device(), [&](DeviceSpec& d) {
    d.cores = cores;
    d.core_groups = std::move(groups);
    d.dispatch.partition = PartitionRule{d.core_groups.front().name, share};
  });
}

/// Each work-group fills a core.
Workload full_cores(std::uint64_t count) { return workload_of({kernel_of(count, 8, {compute(us(10))})}); }

}  // namespace

TEST_CASE("contiguous: of 5 work-groups, the first 2 go to group 0 and the other 3 to group 1") {
  const DeviceSpec device = device_with(6, {{"stack", 2}}, PartitionShare::contiguous);
  CHECK(cores_of(run_fully(device, full_cores(5))) == std::vector<std::uint32_t>{0, 1, 3, 4, 5});
}

TEST_CASE("cyclic: work-group i goes to group i mod 3") {
  const DeviceSpec device = device_with(6, {{"XCD", 3}}, PartitionShare::cyclic);
  CHECK(cores_of(run_fully(device, full_cores(6))) == std::vector<std::uint32_t>{0, 2, 4, 1, 3, 5});
}

TEST_CASE("a work-group waits for its group even if others are free, and is said to") {
  const DeviceSpec device = device_with(2, {{"stack", 2}}, PartitionShare::contiguous);
  Workload workload = full_cores(4);
  workload.kernels[0].variation.factors = {{group(0), Decimal::whole(4)}};
  const FullRun run = run_fully(device, workload);
  CHECK(cores_of(run) == std::vector<std::uint32_t>{0, 0, 1, 1});
  CHECK(run.record.end == at(us(50)));  // 40 and 10 on core 0, 10 and 10 on core 1
  CHECK(run.record.launches[0].waited[WaitReason::contexts] + run.record.launches[0].waited[WaitReason::partition] ==
        us(40));
  CHECK(run.record.launches[0].waited[WaitReason::partition] > us(0));
}

TEST_CASE("groups of unequal sizes take work-groups alike, and sizes say where they begin") {
  DeviceSpec device = device_with(6, {{"gpc", 0, {1, 3, 2}}}, PartitionShare::cyclic);
  CHECK(cores_of(run_fully(device, full_cores(6))) == std::vector<std::uint32_t>{0, 1, 4, 0, 2, 5});
  device.dispatch.partition.reset();
  device.dispatch.placement = "group_round_robin";
  CHECK(cores_of(run_fully(device, full_cores(6))) == std::vector<std::uint32_t>{0, 1, 4, 2, 5, 3});
}

TEST_CASE("only groups in which the launch may be take part") {
  const DeviceSpec device = device_with(6, {{"XCD", 3}}, PartitionShare::cyclic);
  Workload workload = full_cores(4);
  workload.launches[0].as_kernel().cores = {{core(0), core(3)}};
  CHECK(cores_of(run_fully(device, workload)) == std::vector<std::uint32_t>{0, 2, 1, 3});
}

TEST_CASE("each launch is dealt out by itself, and a group takes what it can of a later one if kernels may overtake") {
  DeviceSpec device = device_with(2, {{"XCD", 2}}, PartitionShare::cyclic);
  device.dispatch.kernel_choice = KernelChoice::skip_blocked;
  const FullRun run =
      run_fully(device, workload_of({kernel_of(3, 8, {compute(us(10))}), kernel_of(2, 8, {compute(us(4))})}));
  CHECK(cores_of(run) == std::vector<std::uint32_t>{0, 1, 0});
  CHECK(cores_of(run, launch(1)) == std::vector<std::uint32_t>{0, 1});
  CHECK(run.work_groups.records_of(launch(1))[1].first_placed ==
        at(us(10)));  // while the first kernel waits for core 0
  CHECK(run.work_groups.records_of(launch(1))[0].first_placed == at(us(20)));
}

TEST_CASE("parts of equal size end together") {
  for (const PartitionShare share : {PartitionShare::contiguous, PartitionShare::cyclic}) {
    const DeviceSpec device = device_with(6, {{"XCD", 3}}, share);
    const RunResult run = simulate(device, device.dispatch, full_cores(606));
    CHECK(run.record.outcome == Outcome::completed);
    CHECK(run.record.end == at(us(101 * 10)));
    CHECK(run.record.work_groups_ended() == 606);
  }
}

namespace {

std::string partition_problems(const std::string& device, const std::string& dispatch) {
  return read_text("scenario: s\ndevice: " + device + "\ndispatch: " + dispatch +
                   "\nkernels: {k: {global: 64, local: 8, sub_group: 8, program: [compute: 1 us]}}\n"
                   "launches: [{kernel: k}]\n")
      .problems;
}

}  // namespace

TEST_CASE("a partition across a level that the device does not have is refused, with those that it has") {
  CHECK_THAT(partition_problems("{base: tiny, core_groups: [{name: stack, count: 2}]}",
                                "{partition: {across: XCD, share: cyclic}}"),
             Catch::Contains("3:32: partition.across: is 'XCD'; known on this device: core_group, stack"));
  CHECK_THAT(partition_problems("tiny", "{partition: {across: XCD, share: cyclic}}"),
             Catch::Contains("the device has no groups of cores: give it some, as in `core_groups: [{name: stack, "
                             "count: 2}]`"));
}

TEST_CASE("spread work-groups could lie in several groups: refused beside a partition") {
  CHECK_THAT(partition_problems("{base: tiny, core_groups: [{name: stack, count: 2}]}",
                                "{admission: spread, partition: {across: stack, share: cyclic}}"),
             Catch::Contains("a partition needs `dispatch: {admission: whole}`"));
}

TEST_CASE("sizes of groups that do not add up to the cores are refused, with both numbers") {
  CHECK_THAT(partition_problems("{base: tiny, core_groups: [{name: gpc, sizes: [1, 2]}]}", "{}"),
             Catch::Contains("gpc: its `sizes` add up to 3 cores, the device has 2"));
  CHECK_THAT(partition_problems(
                 "{base: tiny, cores: 4, core_groups: [{name: die, count: 2}, {name: gpc, sizes: [1, 2]}]}", "{}"),
             Catch::Contains("gpc: its `sizes` add up to 3 cores, a group of the level above has 2"));
  CHECK_THAT(partition_problems("{base: tiny, core_groups: [{name: gpc, count: 2, sizes: [1, 1]}]}", "{}"),
             Catch::Contains("give `count`, or `sizes` where groups are unequal, not both"));
}
