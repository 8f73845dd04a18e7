#include "support/process.hpp"

#include <catch2/catch.hpp>

using namespace gdsim::testing;
using Catch::Contains;

TEST_CASE("launches on cores of their own that wait for each other by the rule of the head are noted, and others not") {
  const auto run_of = [](const std::string& name) {
    const Ran ran = run_gdsim({"run", "scenarios/sub_devices.yaml", "--case", name});
    INFO(ran.err);
    CHECK(ran.status == 0);
    return ran.out;
  };
  const std::string note =
      "Launches on cores of their own dispatch one after the other, by the rule `kernel_choice: head_only`; with `--set "
      "dispatch.kernel_choice=skip_blocked` each dispatches beside the others.";
  CHECK_THAT(run_of("cut_in_two_head_only"), Contains(note));
  CHECK_THAT(run_of("cut_in_two"), !Contains("dispatch one after the other"));
  CHECK_THAT(run_of("whole"), !Contains("dispatch one after the other"));
}
