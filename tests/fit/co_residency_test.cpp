#include "support/builders.hpp"
#include <gdsim/fit/core.hpp>

#include <catch2/catch.hpp>

// How many work-groups of a launch are resident at once.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// 10 cores, on each of which one work-group fits.
DeviceSpec ten_cores() {
  return with(one_core(), [](DeviceSpec& device) {
    device.cores = 10;
    device.core_groups = {{"part", 3}};  // of 3, 3 and 4 cores
  });
}

Kernel full_core(const DeviceSpec& device) { return kernel_of(1, device.contexts_per_core(), {compute(ps(10))}); }

}  // namespace

TEST_CASE("without a partition, the cores of a launch hold what each of them holds") {
  const DeviceSpec device = ten_cores();
  const Kernel kernel = full_core(device);
  CHECK(max_co_resident(kernel, device, device.dispatch, {}) == 10);
  CHECK(max_co_resident(kernel, device, device.dispatch, {{CoreId{1}, CoreId{2}}, {CoreId{9}, CoreId{9}}}) == 3);
}

TEST_CASE("a partition deals each part as many as the others, or one more: the smallest part counts") {
  DeviceSpec device = ten_cores();
  const Kernel kernel = full_core(device);
  device.dispatch.partition = PartitionRule{"part", PartitionShare::cyclic};
  CHECK(max_co_resident(kernel, device, device.dispatch, {}) == 9);  // a tenth goes to the first part
  device.dispatch.partition->share = PartitionShare::contiguous;
  CHECK(max_co_resident(kernel, device, device.dispatch, {}) == 10);  // 3, 3 and 4
  // Parts without a core of the launch get nothing.
  CHECK(max_co_resident(kernel, device, device.dispatch, {{CoreId{0}, CoreId{3}}}) == 2);
  CHECK(max_co_resident(kernel, device, device.dispatch, {{CoreId{0}, CoreId{2}}}) == 3);
}

TEST_CASE("clusters are resident as a whole, within one group") {
  DeviceSpec device = ten_cores();
  Kernel kernel = full_core(device);
  device.clusters = ClusterRule{"part", 4, 4};
  kernel.cluster = {2};
  CHECK(max_co_resident(kernel, device, device.dispatch, {}) == 8);
}
