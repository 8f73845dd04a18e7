#include "support/builders.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// Work-groups without barrier and SLM over several cores.

namespace {

DeviceSpec spread_device() {
  return with(small_device(), [](DeviceSpec& d) { d.dispatch.admission = Admission::spread; });
}

}  // namespace

TEST_CASE("a work-group that may be spread fills two cores at once") {
  // 2 cores x 8 contexts: 5 + 3 | 2 + 5 + 1, the rest of the last one waits.
  const FullRun run = run_fully(spread_device(), workload_of({kernel_of(4, 5, {compute(ns(10))})}));
  CHECK(phase_threads(run.record) == std::vector<std::uint64_t>{16, 4});
  CHECK(cores_of(run) == std::vector<std::uint32_t>{0, 0, 1, 1});
  CHECK(run.work_groups.more_cores_of(launch(0), group(1)) == std::vector<CoreId>{core(1)});
  CHECK(run.work_groups.more_cores_of(launch(0), group(2)).empty());
}

TEST_CASE("a work-group with a barrier or with SLM is never spread") {
  for (const bool has_slm : {false, true}) {
    const Kernel kernel = with(kernel_of(4, 5, {compute(ns(10))}), [&](Kernel& k) {
      if (has_slm) k.needs.slm.total = Bytes{1024};
      if (!has_slm) k.program.push_back(barrier());
    });
    const FullRun run = run_fully(spread_device(), workload_of({kernel}));
    for (std::uint64_t i = 0; i < 4; ++i) CHECK(run.work_groups.more_cores_of(launch(0), group(i)).empty());
  }
}
