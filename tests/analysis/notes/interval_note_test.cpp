#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <gdsim/analysis/notes/device_notes.hpp>

#include <catch2/catch.hpp>

#include <string>

// What a run says of an interval of dispatch that nobody measured.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// The note of 4,000 work-groups of `local` work-items that compute on a device; empty if there is none.
std::string note_of(const std::string& device, const std::string& compute, const std::string& more = {},
                    std::uint64_t local = 32) {
  const std::string sub_group = device.starts_with("mi") ? "64" : "32";
  const ReadText read =
      read_text("scenario: S\ndevice: " + device + "\nkernels:\n  k: {global: " + std::to_string(4000 * local) +
                ", local: " + std::to_string(local) + ", sub_group: " + sub_group +
                ", variation: none, program: [{compute: " + compute + "}]}\nlaunches: [{kernel: k}]\n" + more);
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const Scenario& one = read.scenario();
  const RunResult run = simulate(one.device, one.dispatch, one.workload);
  return interval_note(one.device, one.dispatch, one.workload, run.record).value_or("");
}

}  // namespace

TEST_CASE("a run that is as long as its dispatch says that the interval of the device is extrapolated") {
  const std::string note = note_of("a40", "10 ns");
  CHECK_THAT(note,
             Catch::StartsWith("Dispatch limits the run: blocks start one after the other, which takes 2.299 us of ") &&
                 Catch::Contains(" for 4000 blocks. The dispatch interval of a40 is extrapolated, not measured; `gdsim "
                                 "devices a40` prints its source."));
}

TEST_CASE("the interval is spoken of if the clock changes behind the end of the run, and not if it changes before") {
  CHECK_FALSE(note_of("{base: a40, clock: {at: {0 s: 1.74 GHz, 1 s: 1 GHz}}}", "10 ns").empty());
  CHECK(note_of("{base: a40, clock: {at: {0 s: 1.74 GHz, 1 us: 1.73 GHz}}}", "10 ns").empty());
}

TEST_CASE("nothing is said of the interval where it is hidden, measured or given by the scenario") {
  CHECK(note_of("a40", "10 us").empty());
  CHECK(note_of("h100-sxm", "10 ns").empty());
  CHECK(note_of("a40", "10 ns", "dispatch: {interval: {per_work_group: 2 cycles}}\n").empty());
  CHECK(note_of("cc-8.6", "10 ns").empty());
}

TEST_CASE("only the figure of an interval that decides is spoken of: blocks of one warp start at a measured rate") {
  // One block after the other is measured on an H100 SXM, how long each further warp takes is another card's.
  CHECK(note_of("h100-sxm", "10 ns", {}, 512).empty());
  CHECK_THAT(note_of("h100-sxm", "10 ns", {}, 1024),
             Catch::Contains(", which takes 3.025 us of ") && Catch::Contains(" for 4000 blocks. ") &&
                 Catch::Contains("The dispatch interval of h100-sxm is extrapolated"));
  CHECK(note_of("h100-pcie", "10 ns", {}, 1024).empty());
}

TEST_CASE("dispatchers of parts work at once: an eighth of the intervals counts") {
  CHECK(note_of("mi300x", "10 ns", {}, 256).empty());
  // 4,000 work-groups of 4 waves of 2 cycles of 2,200 MHz over 8 XCDs.
  CHECK_THAT(
      note_of("mi350x", "10 ns", {}, 256),
      Catch::StartsWith(
          "Dispatch limits the run: work-groups start one after the other in each XCD, which takes 1.818 us of ") &&
          Catch::Contains(" for 4000 work-groups. The dispatch interval of mi350x is extrapolated"));
}
