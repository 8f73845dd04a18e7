#include <gdsim/analysis/notes/device_notes.hpp>
#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <string>

// What a run says of kernels that the device launched.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// The note on a kernel of so many work-groups, each of which launches a child.
std::optional<std::string> note_on(const std::string& device, std::uint64_t work_groups) {
  const ReadText read =
      read_text("scenario: S\ndevice: " + device +
                "\nkernels:\n  child: {global: 32, local: 32, program: [compute: 1 us]}\n  parent: "
                "{global: " +
                std::to_string(32 * work_groups) +
                ", local: 32, program: [launch: {kernel: child}, compute: 1 us]}\nlaunches: [{kernel: parent}]\n");
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const Scenario& scenario = read.scenario();
  const RunResult run = simulate(scenario.device, scenario.dispatch, scenario.workload);
  return pending_launches_note(scenario.device, scenario.workload, run.record);
}

}  // namespace

TEST_CASE("more launches from the device than CUDA keeps waiting are noted, though few of them wait at once here") {
  CHECK_FALSE(note_on("rtx-3090", 2048));
  const auto note = note_on("rtx-3090", 2049);
  REQUIRE(note);
  CHECK_THAT(*note, Catch::StartsWith("The device launched 2049 kernels, at most ") &&
                        Catch::Contains("further blocks of its parent here (ASSUMED). CUDA keeps 2048 waiting"));
}

TEST_CASE("a limit of CUDA is no limit of other vendors") { CHECK_FALSE(note_on("mi300x", 2049)); }
