#include "explain/explained.hpp"
#include "support/scenarios.hpp"

#include <gdsim/explain/explain.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// The savings that rest on declared durations, and the kernels that these durations belong to.

namespace {

Explanation explanation_of(const std::string& text) {
  const ReadText read = read_text("scenario: S\n" + text);
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  return explain(read.scenario(), {}, {});
}

const std::string kDeviceWithMemory =
    "{base: tiny, memory: {in_flight: 64 B, levels: [{name: HBM, bandwidth: 100 GB/s, latency: 100 ns}]}}";

/// Of `a`, with 4 KiB of a core's 8 KiB each, two work-groups fit on a core. `b` has only one.
std::string two_kernels(const std::string& of_a, const std::string& of_b, const std::string& slm_of_b) {
  return "device: " + kDeviceWithMemory +
         "\nkernels:\n  a: {global: 512, local: 8, sub_group: 8, slm: 4 KiB, program: " + of_a +
         ", variation: none}\n  b: {global: 8, local: 8, sub_group: 8, slm: " + slm_of_b + ", program: " + of_b +
         ", variation: none}\nlaunches: [kernel: a, {kernel: b, after: [a]}]\n";
}

}  // namespace

TEST_CASE("a kernel that is computed is not said to be declared because another is") {
  // Only of `a`, which has no compute step, more work-groups fit.
  const Explanation computed = explanation_of(two_kernels("[memory: 512 B]", "[compute: 1 us]", "0 B"));
  const ChangedRun& slm = changed_run(computed, "slm_allocation_zero");
  CHECK(slm.saves > 0);
  CHECK_FALSE(slm.is_declared);
  CHECK_THAT(slm.sentence, !Catch::Contains("declared"));
}

TEST_CASE("only declared durations make a saving possible where no kernel of which more fits has others") {
  const Explanation declared = explanation_of(two_kernels("[compute: 1 us]", "[memory: 512 B]", "0 B"));
  const ChangedRun& slm = changed_run(declared, "slm_allocation_zero");
  CHECK(slm.is_declared);
  CHECK_THAT(slm.sentence,
             Catch::EndsWith(" On hardware the saving may be smaller: declared durations do not grow when more "
                             "threads are resident at once."));
}

TEST_CASE("where more fits of computed kernels, too, those with declared durations are named") {
  const Explanation both = explanation_of(two_kernels("[compute: 1 us]", "[memory: 512 B]", "4 KiB"));
  CHECK(changed_run(both, "slm_allocation_zero").is_declared);
  CHECK_THAT(
      changed_run(both, "slm_allocation_zero").sentence,
      Catch::EndsWith(" On hardware the saving may be smaller: the declared durations of a do not grow when more "
                      "threads are resident at once."));
  const Explanation mixed = explanation_of(two_kernels("[memory: 512 B, compute: 1 us]", "[memory: 512 B]", "0 B"));
  CHECK_THAT(
      changed_run(mixed, "slm_allocation_zero").sentence,
      !Catch::Contains("smaller: declared durations") && Catch::Contains("the declared durations of a do not grow"));
}

TEST_CASE("a collective has no declared durations, and none are said of the kernels beside it") {
  const auto beside_collective = [](const std::string& program) {
    return explanation_of(
        "devices: {x: " + kDeviceWithMemory + ", y: " + kDeviceWithMemory +
        "}\nlinks: [{between: [x, y], bandwidth: 1 GB/s, latency: 1 us}]\nkernels:\n  gemm: {global: 512, "
        "local: 8, sub_group: 8, slm: 4 KiB, program: " +
        program +
        ", variation: none}\nlaunches: [{kernel: gemm, device: each}, {collective: {kind: all_reduce, "
        "bytes: 1 KiB, work_groups: 1, local: 1}, after: [gemm]}]\n");
  };
  const Explanation computed = beside_collective("[memory: 512 B]");
  CHECK(changed_run(computed, "slm_allocation_zero").saves > 0);
  for (const ChangedRun& run : computed.changed_runs) {
    INFO(run.what);
    CHECK_FALSE(run.is_declared);
    CHECK_THAT(run.sentence, !Catch::Contains("declared"));
  }
  for (const std::string& note : computed.notes) CHECK_THAT(note, !Catch::Contains("declared"));
  const Explanation declared = beside_collective("[compute: 1 us]");
  CHECK(changed_run(declared, "slm_allocation_zero").is_declared);
  CHECK(
      declared.notes.front() ==
      "The scenario declares the durations of compute steps: the run predicts the shape of occupancy, not wall time.");
}

TEST_CASE("a note of one of several devices says of which it is") {
  const Explanation apart =
      explanation_of("devices: {x: " + kDeviceWithMemory + ", y: " + kDeviceWithMemory +
                     "}\nkernels:\n  a: {global: 64, local: 8, sub_group: 8, program: [compute: 1 "
                     "us]}\n  b: {global: 64, local: 8, sub_group: 8, program: [memory: 512 B], "
                     "variation: none}\nlaunches: [{kernel: a, device: x}, {kernel: b, device: y}]\n");
  CHECK(apart.notes.front() ==
        "x: The scenario declares the durations of compute steps: the run predicts the shape of occupancy, not wall "
        "time.");
}
