#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/dispatch/shares/partitioning.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Four groups of two cores.
DeviceSpec in_groups(PartitionShare share) {
  DeviceSpec device = small_device();
  device.cores = 8;
  device.core_groups = {{"stack", 4, {}}};
  device.dispatch.partition = PartitionRule{"stack", share};
  return device;
}

/// The group of each work-group, found by walking through the partitions.
std::vector<std::size_t> groups_by_walking(const Partitioning& partitioning, std::uint64_t count) {
  std::vector<std::size_t> groups(count, ~std::size_t{0});
  for (std::size_t partition = 0; partition < partitioning.partition_count(launch(0)); ++partition) {
    std::uint64_t number = partitioning.first(launch(0), partition);
    for (std::uint64_t left = partitioning.left(launch(0), partition, number); left > 0; --left) {
      RC_ASSERT(partitioning.left(launch(0), partition, number) == left);
      RC_ASSERT(groups.at(number) == ~std::size_t{0});
      groups[number] = partition;
      number = partitioning.next(launch(0), number);
    }
    RC_ASSERT(partitioning.left(launch(0), partition, number) == 0U);
  }
  return groups;
}

}  // namespace

TEST_CASE("a partition deals out clusters: contiguously, group g from floor(gN/G) on, or by their number modulo G") {
  rc::prop("every work-group goes to one group", [] {
    const PartitionShare share = one_of({PartitionShare::contiguous, PartitionShare::cyclic});
    const DeviceSpec device = in_groups(share);
    const auto size = between<std::uint64_t>(1, 3);
    const auto clusters = between<std::uint64_t>(1, 40);
    Kernel kernel = kernel_of(clusters * size, 1, {compute(us(1))});
    if (size > 1) kernel.cluster = {size};
    Workload workload = workload_of({kernel});
    // On all groups, or on the last three only.
    const std::uint32_t first = one_of({0U, 2U, 3U});
    if (first > 0) workload.launches[0].as_kernel().cores = {{core(first), core(7)}};
    const std::uint64_t groups = first > 0 ? 3 : 4;
    const CoreSelections selections(workload, device.cores);
    const Partitioning partitioning(device, device.dispatch, workload, selections);
    RC_ASSERT(partitioning.is_on());
    RC_ASSERT(partitioning.partition_count(launch(0)) == groups);
    for (std::uint32_t i = first; i < 8; ++i)
      RC_ASSERT(partitioning.partition_of(launch(0), core(i)) == i / 2 - (first > 0 ? 1 : 0));
    std::vector<std::size_t> expected;
    for (std::uint64_t i = 0; i < clusters * size; ++i) {
      const std::uint64_t cluster = i / size;
      std::size_t group = cluster % groups;
      if (share == PartitionShare::contiguous)
        for (group = 0; (group + 1) * clusters / groups <= cluster;) ++group;
      expected.push_back(group);
    }
    RC_ASSERT(groups_by_walking(partitioning, clusters * size) == expected);
  });
}

TEST_CASE("without a partition a launch has one partition, of all cores") {
  const Partitioning none;
  CHECK_FALSE(none.is_on());
  CHECK(none.partition_count(launch(0)) == 1);
  CHECK(none.partition_of(launch(0), core(5)) == 0);
  CHECK(none.first(launch(0), 0) == 0);
  CHECK(none.next(launch(0), 7) == 8);
}
