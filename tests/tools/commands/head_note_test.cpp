#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

using namespace gdsim::testing;
using Catch::Contains;

TEST_CASE("launches of queues on different cores that dispatch in order are noted, and others not") {
  const auto run_of = [](const std::string& name) {
    const Ran ran = run_gdsim({"run", source_path("scenarios/sub_devices.yaml"), "--case", name});
    INFO(ran.err);
    CHECK(ran.status == 0);
    return ran.out;
  };
  const std::string note =
      "Launches of queues on different cores dispatch in order, because `kernel_choice` is `head_only`; `--set "
      "dispatch.kernel_choice=skip_blocked` dispatches them independently.";
  CHECK_THAT(run_of("cut_in_two_head_only"), Contains(note));
  CHECK_THAT(run_of("cut_in_two"), !Contains("on different cores"));
  CHECK_THAT(run_of("whole"), !Contains("on different cores"));
}

TEST_CASE("points that differ in more than what is varied are noted: costs of models, work of sub-groups") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("s.yaml",
                   "scenario: S\ndevice: max-1550-stack\nparameters: {lanes: 16}\nkernels:\n  k: {global: 4096, local: "
                   "64, sub_group: 16, program: [memory: 64 B]}\nlaunches: [kernel: k]\n");
  const auto notes = [&](const std::string& scenario, const std::string& vary) {
    const Ran ran = run_gdsim({"sweep", scenario, "--vary", vary});
    CHECK(ran.status == 0);
    return ran.out;
  };
  CHECK_THAT(notes(file, "sub_group=16,32"),
             Contains("k: amounts are per thread and do not depend on the sub-group size"));
  CHECK_THAT(notes(file, "local=64,128"), !Contains("sub-group size") && !Contains("Of these models"));
  const std::string scaled = folder.write("scaled.yaml",
                                          "scenario: S\ndevice: max-1550-stack\nparameters: {lanes: 16}\nkernels:\n  "
                                          "k: {global: 4096, local: 64, sub_group: "
                                          "= lanes, program: [memory: = lanes * 4 B]}\nlaunches: [kernel: k]\n");
  CHECK_THAT(notes(scaled, "lanes=16,32"), !Contains("sub-group size"));
  const std::string cuda =
      folder.write("cuda.yaml",
                   "scenario: S\ndevice: a100-80gb\nkernels:\n  k: {global: 4096, local: 64, sub_group: 32, program: "
                   "[compute: 1 us]}\nlaunches: [kernel: k]\n");
  CHECK_THAT(
      notes(cuda, "device=a100-80gb,max-1550"),
      Contains("Of these models, a100-80gb has a launch cost, a dispatch interval and a recovery; max-1550 has none: "
               "short runs look shorter there."));
  CHECK_THAT(notes(cuda, "device=a100-80gb,a100-40gb"), !Contains("Of these models"));
}

TEST_CASE("what a scenario declares for another device is noted where it means something else") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("s.yaml",
                   "scenario: S\ndevice: a100-80gb\nkernels:\n  k: {global: 1024, local: 64, sub_group: 32, registers: "
                   "64, program: [compute: 1 us]}\nlaunches: [kernel: k]\n");
  const auto notes = [&](const std::string& device) {
    return run_gdsim({"run", file, "--set", "device=" + device}).out;
  };
  CHECK_THAT(notes("max-1550"),
             Contains("On max-1550, `registers` counts GRFs per thread") &&
                 Contains("Declared durations were written for a100-80gb and are not rescaled for max-1550."));
  CHECK_THAT(notes("h100-sxm"), !Contains("GRFs") && Contains("are not rescaled for h100-sxm."));
  CHECK_THAT(run_gdsim({"run", file}).out, !Contains("not rescaled") && !Contains("GRFs"));
}
