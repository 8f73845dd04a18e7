#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <gdsim/fit/limits.hpp>
#include <gdsim/occupancy/occupancy.hpp>

#include <catch2/catch.hpp>

// Clusters: consecutive work-groups that are placed together, in one group of cores, all or none.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Two groups of 3 and 2 cores of 8 contexts, which take up to 4 work-groups together, 8 where they opt in.
DeviceSpec clustered() {
  return with(small_device(), [](DeviceSpec& d) {
    d.cores = 5;
    d.core_groups = {{"gpc", 0, {3, 2}}};
    d.clusters = ClusterRule{"gpc", 4, 8};
    d.dispatch.placement = "least_loaded";
  });
}

Kernel cluster_kernel(std::uint64_t groups, std::uint64_t threads, std::vector<std::uint64_t> cluster) {
  Kernel kernel = kernel_of(groups, threads, {compute(us(10))});
  kernel.cluster = std::move(cluster);
  return kernel;
}

std::vector<SimTime> cluster_starts(const FullRun& run, LaunchId id = launch(0)) {
  std::vector<SimTime> starts;
  for (const WorkGroupRecord& one : run.work_groups.records_of(id)) starts.push_back(one.first_placed);
  return starts;
}

std::string clusters_problems(const std::string& device, const std::string& kernel, const std::string& more = {}) {
  return read_text("scenario: s\ndevice: " + device +
                   "\nkernels:\n  k:\n    global: 64\n    local: 4\n    sub_group: 4\n" + kernel +
                   "    program: [compute: 1 us]\nlaunches: [{kernel: k}]\n" + more)
      .problems;
}

const std::string kClusteredTiny =
    "{base: tiny, cores: 4, core_groups: [{name: gpc, count: 2}], clusters: {within: gpc, max: 4, non_portable_max: 8},"
    " dispatch: {admission: whole}}";

}  // namespace

TEST_CASE("the work-groups of a cluster go to one group of cores, the placement chooses for each") {
  const FullRun run = run_fully(clustered(), workload_of({cluster_kernel(8, 8, {2})}));
  // Core 2 and core 3 are free, too, but lie in two groups; the last cluster waits for two of its own.
  CHECK(cores_of(run) == std::vector<std::uint32_t>{0, 1, 3, 4, 0, 1, 3, 4});
  CHECK(cluster_starts(run) == std::vector<SimTime>{at(us(0)), at(us(0)), at(us(0)), at(us(0)), at(us(10)), at(us(10)),
                                                    at(us(10)), at(us(10))});
}

TEST_CASE("work-groups of a cluster lie on distinct cores, those of two clusters may share one") {
  // One core is enough for two of these work-groups, and the placement fills the first one that it may choose.
  DeviceSpec device = clustered();
  device.dispatch.placement = "fill_first";
  const FullRun run = run_fully(device, workload_of({cluster_kernel(6, 4, {2})}));
  CHECK(cores_of(run) == std::vector<std::uint32_t>{0, 1, 0, 1, 3, 4});
  CHECK(cluster_starts(run) == std::vector<SimTime>(6, at(us(0))));
}

TEST_CASE("a group with fewer cores than a cluster has work-groups holds none, whatever room they have") {
  const FullRun run = run_fully(clustered(), workload_of({cluster_kernel(12, 4, {3})}));
  CHECK(cores_of(run) == std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2});
  CHECK(cluster_starts(run)[5] == at(us(0)));
  CHECK(cluster_starts(run)[6] == at(us(10)));
}

namespace {

/// clustered(), whose clusters may have a preferred size.
DeviceSpec with_preferred() {
  return with(clustered(), [](DeviceSpec& d) { d.clusters->preferred = true; });
}

Kernel preferring(std::uint64_t groups, std::vector<std::uint64_t> least, std::vector<std::uint64_t> preferred) {
  Kernel kernel = cluster_kernel(groups, 8, std::move(least));
  kernel.preferred_cluster = std::move(preferred);
  return kernel;
}

}  // namespace

TEST_CASE("a preferred cluster is placed where it fits, smaller ones where it does not") {
  // Groups of 4 and 2 cores, one work-group on each: 0 to 3 are a cluster of four, 4 and 5 one of two.
  DeviceSpec device = with_preferred();
  device.cores = 6;
  device.core_groups = {{"gpc", 0, {4, 2}}};
  const FullRun run = run_fully(device, workload_of({preferring(12, {2}, {4})}));
  CHECK(cores_of(run) == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5});
  // Numbers 6 and 7 are the rest of 4 to 7. They must go together with nobody; 8 to 11 could, but find room for two.
  CHECK(cluster_starts(run)[5] == at(us(0)));
  CHECK(cluster_starts(run)[6] == at(us(10)));
}

TEST_CASE("without a preferred size, or with one that is no larger, clusters are as before") {
  const auto cores_with = [](const Kernel& kernel) {
    return cores_of(run_fully(with_preferred(), workload_of({kernel})));
  };
  CHECK(cores_with(preferring(8, {2}, {2})) == cores_with(cluster_kernel(8, 8, {2})));
  CHECK(cores_with(preferring(9, {1}, {3})) == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 0, 1, 2, 3});
}

TEST_CASE("preferred sizes are multiples of the least one, divide the launch, and are for devices that have them") {
  CHECK(cluster_shape_refusals(preferring(12, {2}, {3})).at(0).message ==
        "clusters of 3 are preferred, which is no multiple of their size, 2, in each dimension");
  CHECK(cluster_shape_refusals(preferring(6, {2}, {4})).at(0).message ==
        "there are 6 work-groups, which is no multiple of the 4 of a cluster");
  CHECK(cluster_shape_refusals(preferring(12, {2}, {4})).empty());
  CHECK_THAT(clusters_problems(kClusteredTiny, "    cluster: {size: 2, preferred: 4}\n"),
             Catch::Contains("the model of tiny does not say whether its clusters may have a preferred size"));
  const std::string having =
      "{base: tiny, cores: 4, core_groups: [{name: gpc, count: 2}], clusters: {within: gpc, max: 4, preferred: true}}";
  CHECK(clusters_problems(having, "    cluster: {size: 2, preferred: 4}\n", "dispatch: {admission: whole}\n").empty());
  CHECK_THAT(clusters_problems(having, "    cluster: {size: 2, preferred: 4}\n",
                               "dispatch: {admission: whole, partition: {across: gpc, share: cyclic}}\n"),
             Catch::Contains("leave out `preferred`"));
  CHECK_THAT(clusters_problems(having, "    cluster: {size: 2, preferred: 8}\n", "dispatch: {admission: whole}\n"),
             Catch::Contains("a cluster has 8 work-groups, tiny allows at most 4"));
}

TEST_CASE("all or none: a cluster waits until its group can hold all of it, and this is recorded") {
  DeviceSpec device = clustered();
  device.dispatch.kernel_choice = KernelChoice::skip_blocked;
  Kernel single = kernel_of(3, 8, {compute(us(4))});
  const FullRun run = run_fully(device, workload_of({single, cluster_kernel(3, 8, {3})}));
  CHECK(cores_of(run) == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(cluster_starts(run, launch(1)) == std::vector<SimTime>{at(us(4)), at(us(4)), at(us(4))});
  CHECK(run.record.launches[1].waited[WaitReason::contexts] == us(4));
  // One core of each group is occupied, but not core 0. Core 0 has room; no group has.
  Workload others = workload_of({kernel_of(2, 8, {compute(us(4))}), cluster_kernel(3, 8, {3})});
  others.launches[0].as_kernel().cores = {{core(1), core(1)}, {core(4), core(4)}};
  const FullRun other = run_fully(device, others);
  CHECK(other.record.launches[1].waited[WaitReason::cluster_room] == us(4));
}

TEST_CASE("a cluster keeps the dispatcher busy as long as its work-groups would one by one") {
  DeviceSpec device = clustered();
  device.dispatch.interval = DispatchInterval{picoseconds(100), {}, "device"};
  const FullRun run = run_fully(device, workload_of({cluster_kernel(4, 8, {2})}));
  CHECK(cluster_starts(run) == std::vector<SimTime>{at(ps(0)), at(ps(0)), at(ps(200)), at(ps(200))});
}

TEST_CASE("the size of a cluster is the product of its dimensions") {
  Kernel kernel = cluster_kernel(4, 8, {1, 2});
  CHECK(kernel.cluster_size() == 2);
  CHECK(cores_of(run_fully(clustered(), workload_of({kernel}))) == std::vector<std::uint32_t>{0, 1, 3, 4});
}

TEST_CASE("clusters are dealt out as a whole where there is a partition") {
  DeviceSpec device = clustered();
  device.cores = 4;
  device.core_groups = {{"gpc", 2}};
  device.dispatch.partition = PartitionRule{"gpc", PartitionShare::cyclic};
  CHECK(cores_of(run_fully(device, workload_of({cluster_kernel(6, 8, {2})}))) ==
        std::vector<std::uint32_t>{0, 1, 2, 3, 0, 1});
}

TEST_CASE("as many clusters run at once as the groups of cores hold, one after the other") {
  const RunResult run = simulate(clustered(), clustered().dispatch, workload_of({cluster_kernel(100, 8, {2})}));
  CHECK(run.record.end == at(us(25 * 10)));
}

TEST_CASE("active clusters: each group holds as many as its cores can hold work-groups of them") {
  const DeviceSpec device = clustered();
  CHECK(active_clusters(device, 2, 1) == 10U);
  CHECK(active_clusters(device, 2, 2) == 5U);
  CHECK(active_clusters(device, 2, 3) == 2U);  // 6 / 3; the group of two cores holds none
  CHECK(active_clusters(device, 2, 4) == 0U);
  CHECK(occupancy_of(cluster_kernel(8, 4, {3}), device, GlobalSize::any).active_clusters == 2U);
}

TEST_CASE("a cluster beyond what the device allows is refused with both numbers, up to that it is accepted") {
  const std::string larger = "{base: tiny, cores: 16, " + kClusteredTiny.substr(kClusteredTiny.find("core_groups"));
  CHECK(clusters_problems(larger, "    cluster: 8\n").empty());
  CHECK_THAT(clusters_problems(kClusteredTiny, "    cluster: 16\n"),
             Catch::Contains("cluster: a cluster has 16 work-groups, tiny allows at most 8"));
  CHECK_THAT(
      clusters_problems("tiny", "    cluster: 2\n"),
      Catch::Contains("cluster: a cluster has 2 work-groups, the model of tiny does not say whether it has clusters"));
  CHECK(clusters_problems("tiny", "    cluster: 1\n").empty());
}

TEST_CASE("a cluster that no group of the device can hold is refused, with both numbers") {
  CHECK_THAT(
      clusters_problems(kClusteredTiny, "    cluster: 4\n"),
      Catch::Contains("a cluster has 4 work-groups, each on a core of its own, and the largest gpc of tiny has 2"));
}

TEST_CASE("clusters lie on any cores of a device that does not say which belong together, and a note says so") {
  DeviceSpec device = clustered();
  device.core_groups.clear();
  CHECK(cores_of(run_fully(device, workload_of({cluster_kernel(4, 8, {4})}))) ==
        std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK(active_clusters(device, 2, 4) == 2);
  CHECK_THAT(assumed_groups_note(device).value(),
             Catch::Contains("does not say which") && Catch::Contains("`core_groups: [{name: gpc, count: 8}]`"));
  CHECK_THAT(clusters_problems("{base: tiny, clusters: {within: gpc, max: 4}, dispatch: {admission: whole}}",
                               "    cluster: 4\n"),
             Catch::Contains("a cluster has 4 work-groups, each on a core of its own, and tiny has 2"));
}

TEST_CASE("the number of work-groups must be a multiple, also along each dimension that is named") {
  CHECK_THAT(clusters_problems(kClusteredTiny, "    cluster: 3\n"),
             Catch::Contains("there are 16 work-groups, which is no multiple of the 3 of a cluster"));
  Kernel kernel = cluster_kernel(4, 8, {2, 2});
  CHECK(cluster_shape_refusals(kernel).at(0).message ==
        "clusters of 2 x 2 do not divide the 1 work-groups of dimension 1");
}

TEST_CASE("clusters need whole work-groups, and cores of the launch that lie together") {
  CHECK_THAT(clusters_problems(kClusteredTiny, "    cluster: 2\n", "dispatch: {admission: partial}\n"),
             Catch::Contains("they need `dispatch: {admission: whole}`"));
  DeviceSpec device = clustered();
  Workload workload = workload_of({cluster_kernel(8, 8, {2})});
  workload.launches[0].as_kernel().cores = {{core(2), core(3)}};
  const Compilation compilation = compile(device, device.dispatch, workload);
  REQUIRE(compilation.issues().size() == 1);
  CHECK(compilation.issues().at(0).code == "cluster_too_large");
  CHECK_THAT(
      compilation.issues().at(0).message,
      Catch::Contains(
          "a cluster has 2 work-groups, each on a core of its own, and this launch may use 1 of a gpc together"));
  workload.queues = {{"of two cores", QueueOrder::out_of_order, workload.launches[0].as_kernel().cores}};
  workload.launches[0].as_kernel().cores.clear();
  workload.launches[0].queue = QueueId{0};
  CHECK(compile(device, device.dispatch, workload).issues().size() == 1);
}

TEST_CASE("a device's clusters must lie within one of its levels, and at least `max` of them") {
  CHECK_THAT(
      clusters_problems("{base: tiny, core_groups: [{name: die, count: 2}], clusters: {within: gpc, max: 4}}", ""),
      Catch::Contains("clusters.within: is 'gpc'; known on this device: core_group, die"));
  CHECK_THAT(clusters_problems("{base: tiny, clusters: {within: gpc, max: 4, non_portable_max: 2}}", ""),
             Catch::Contains("clusters.non_portable_max: is 2, less than the `max` of 4"));
}
