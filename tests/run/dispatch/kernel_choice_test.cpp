#include "support/builders.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Two launches of a kernel with a work-group of 6 threads and one of 1, on one core of 8 contexts.
FullRun run_with_edges(KernelChoice choice) {
  Kernel kernel = kernel_of(2, 6, {compute(us(1))});
  kernel.range.global[2] = 56;
  kernel.edge_groups = EdgeGroups::smaller;
  const DeviceSpec device = with(one_core(), [&](DeviceSpec& d) {
    d.dispatch.admission = Admission::whole;
    d.dispatch.kernel_choice = choice;
  });
  Workload workload = workload_of({kernel});
  workload.launches.push_back(workload.launches.front());
  workload.launches.back().name = "again";
  return run_fully(device, workload);
}

SimTime first_placed(const FullRun& run, std::uint32_t launch_number, std::size_t work_group) {
  const auto records = run.work_groups.records_of(launch(launch_number));
  REQUIRE(records.size() > work_group);
  return records[work_group].first_placed;
}

}  // namespace

TEST_CASE("round_robin: a smaller work-group at an edge goes where another launch of its kernel is blocked") {
  const FullRun run = run_with_edges(KernelChoice::round_robin);
  // The first takes 6 contexts. The second has no room for its 6; the first one's last work-group is 1 thread.
  CHECK(first_placed(run, 0, 1) == at(us(0)));
  CHECK(first_placed(run, 1, 0) == at(us(1)));
}

TEST_CASE("skip_blocked: launches of a kernel keep their order, smaller work-groups at its edges or not") {
  const FullRun run = run_with_edges(KernelChoice::skip_blocked);
  CHECK(first_placed(run, 0, 1) == at(us(0)));
  CHECK(first_placed(run, 1, 0) == at(us(1)));
  // 6 and 1 threads are there: the last one of the second launch waits neither for contexts nor for other launches.
  CHECK(first_placed(run, 1, 1) == at(us(1)));
}
