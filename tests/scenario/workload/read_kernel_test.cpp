#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

ReadText with_carveout(const std::string& percent) {
  return read_text(
      "scenario: Plain\ndevice: tiny\nkernels:\n  k:\n    global: 64\n    local: 8\n    sub_group: 8\n"
      "    carveout_percent: " +
      percent + "\n    program: [compute: 1 us]\nlaunches: [kernel: k]\n");
}

}  // namespace

TEST_CASE("a carve-out of 0 and of 100 percent is read, one of 101 is refused at its place, and by the library, too") {
  for (const std::uint32_t percent : {0U, 100U}) {
    const ReadText read = with_carveout(std::to_string(percent));
    REQUIRE(read.problems.empty());
    CHECK(read.scenario().workload.kernels[0].needs.slm.carveout_percent == percent);
  }
  CHECK_THAT(with_carveout("101").problems, Catch::StartsWith("8:23: carveout_percent: ") && Catch::Contains("100"));
  Workload workload = workload_of({kernel_of(1, 1, {compute(us(1))})});
  workload.kernels[0].needs.slm.carveout_percent = 100;
  CHECK(can_run(small_device(), small_device().dispatch, workload));
  workload.kernels[0].needs.slm.carveout_percent = 101;
  CHECK_FALSE(can_run(small_device(), small_device().dispatch, workload));
}
