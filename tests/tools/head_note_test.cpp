#include "support/builders.hpp"
#include "support/process.hpp"

#include <catch2/catch.hpp>

using namespace gdsim::testing;
using Catch::Contains;

TEST_CASE("launches of queues on disjoint cores that dispatch in order are noted, and others not") {
  const auto run_of = [](const std::string& name) {
    const Ran ran = run_gdsim({"run", source_path("scenarios/sub_devices.yaml"), "--case", name});
    INFO(ran.err);
    CHECK(ran.status == 0);
    return ran.out;
  };
  const std::string note =
      "Launches of queues on disjoint cores dispatch in order, because `kernel_choice` is `head_only`; `--set "
      "dispatch.kernel_choice=skip_blocked` dispatches them independently.";
  CHECK_THAT(run_of("cut_in_two_head_only"), Contains(note));
  CHECK_THAT(run_of("cut_in_two"), !Contains("on disjoint cores"));
  CHECK_THAT(run_of("whole"), !Contains("on disjoint cores"));
}
