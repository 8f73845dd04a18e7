#include "support/builders.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

// The report of a deadlock on a cluster: a core with room for one of its work-groups is short of room for the cluster
// if its group of cores has no room for all of them.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Two cores of 8 contexts on one engine, on which clusters of two work-groups may be placed.
DeviceSpec two_cores() {
  DeviceSpec device = small_device();
  device.engines_per_core = 1;
  device.contexts_per_engine = 8;
  device.core_groups = {{"gpc", 1, {}}};
  device.clusters = ClusterRule{"gpc", 2, {}};
  device.dispatch.kernel_choice = KernelChoice::skip_blocked;
  return device;
}

/// A work-group of one thread that never ends.
Kernel stuck() { return kernel_of(1, 1, {compute(ns(1)), Wait{"never"}}); }

/// Two work-groups of five threads, which are placed together.
Kernel pair() {
  Kernel kernel = kernel_of(2, 5, {compute(ns(1))});
  kernel.cluster = {2};
  return kernel;
}

/// The wait causes of the last launch: `core 0: contexts`.
std::vector<std::string> causes_of_last(const DeviceSpec& device, const Workload& workload) {
  const RunRecord record = run_fully(device, workload).record;
  REQUIRE(record.outcome == Outcome::deadlock);
  std::vector<std::string> found;
  for (const DeadlockedLaunch& stalled : record.deadlock.launches) {
    if (index_of(stalled.launch) + 1 != workload.launches.size()) continue;
    for (const WaitCause& stall : stalled.wait_causes) {
      REQUIRE(stall.cores == 1);
      found.push_back("core " + std::to_string(index_of(*stall.core)) + ": " + std::string(name_of(stall.reason)));
    }
  }
  return found;
}

}  // namespace

TEST_CASE("a core that belongs to another launch has no room for a cluster, so the other core lacks it, too") {
  DeviceSpec device = two_cores();
  device.dispatch.core_sharing = CoreSharing::exclusive;
  CHECK(causes_of_last(device, workload_of({stuck(), pair()})) ==
        std::vector<std::string>{"core 0: core_sharing", "core 1: cluster_room"});
}

TEST_CASE("a core that must drain before its memory is set anew has no room for a cluster either") {
  DeviceSpec device = two_cores();
  device.slm.pools = {Bytes{0}, Bytes{4096}, Bytes{8192}};
  device.dispatch.slm_reconfiguration = SlmReconfiguration::drains_core;
  Workload workload = workload_of({stuck(), pair()});
  workload.kernels[0].needs.slm.carveout_percent = 50;
  workload.kernels[1].needs.slm.carveout_percent = 100;
  CHECK(causes_of_last(device, workload) == std::vector<std::string>{"core 0: slm_pool", "core 1: cluster_room"});
}
