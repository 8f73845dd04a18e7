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

}  // namespace

TEST_CASE("round_robin: a smaller work-group at an edge goes where another launch of its kernel is blocked") {
  const FullRun run = run_with_edges(KernelChoice::round_robin);
  // The first takes 6 contexts. The second has no room for its 6; the first one's last work-group is 1 thread.
  CHECK(run.work_groups.of(launch(0)).at(1).first_placed == at(us(0)));
  CHECK(run.work_groups.of(launch(1)).at(0).first_placed == at(us(1)));
}

TEST_CASE("skip_blocked: launches of a kernel keep their order, smaller work-groups at its edges or not") {
  const FullRun run = run_with_edges(KernelChoice::skip_blocked);
  CHECK(run.work_groups.of(launch(0)).at(1).first_placed == at(us(0)));
  CHECK(run.work_groups.of(launch(1)).at(0).first_placed == at(us(1)));
  // 6 and 1 threads are there: the last one of the second launch waits neither for contexts nor for other launches.
  CHECK(run.work_groups.of(launch(1)).at(1).first_placed == at(us(1)));
}
