#include "support/builders.hpp"
#include <gdsim/analysis/lanes.hpp>

#include <catch2/catch.hpp>

// How many lanes of resident threads hold a work-item.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

Kernel kernel_with(std::uint64_t global, std::uint64_t local, Duration time) {
  Kernel kernel = kernel_of(1, 1, {compute(time)});
  kernel.range.global = {1, 1, global};
  kernel.range.local = {1, 1, local};
  return kernel;
}

std::string active_lanes_text(const Workload& workload) {
  const auto percent = active_lanes_percent(workload, run_fully(small_device(), workload).record);
  REQUIRE(percent.has_value());
  return to_fixed(*percent, 4);
}

}  // namespace

TEST_CASE("work-groups of nine work-items leave seven of sixteen lanes empty") {
  CHECK(lanes_of_group(kernel_with(18, 9, ns(1))).active == 9);
  CHECK(lanes_of_group(kernel_with(18, 9, ns(1))).all == 16);
  CHECK(active_lanes_text(workload_of({kernel_with(18, 9, ns(1))})) == "56.2500");
  CHECK(active_lanes_text(workload_of({kernel_with(64, 16, ns(1))})) == "100.0000");
}

TEST_CASE("smaller work-groups at the edge count with their own work-items") {
  Kernel kernel = kernel_with(20, 16, ns(1));  // 16 work-items on 16 lanes, then 4 on 8
  kernel.edge_groups = EdgeGroups::smaller;
  CHECK(active_lanes_text(workload_of({kernel})) == "83.3333");
}

TEST_CASE("launches count by the time of their resident lanes") {
  // 1 of 8 lanes for 3 ns, 8 of 8 for 1 ns: 11 of 32.
  CHECK(active_lanes_text(workload_of({kernel_with(1, 1, ns(3)), kernel_with(8, 8, ns(1))})) == "34.3750");
}

TEST_CASE("a run without a resident thread has no active lanes to speak of") {
  CHECK_FALSE(active_lanes_percent(Workload{}, RunRecord{}).has_value());
}
