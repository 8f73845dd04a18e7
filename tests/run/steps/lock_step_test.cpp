#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace gdsim;
using namespace gdsim::testing;

// Work-groups that differ as little as possible do not run in lock step: the duration of a kernel does not depend on
// how much they differ.

namespace {

/// Microseconds of a kernel of equal work-groups of 8 threads on an A100 that dispatches a wave at once; 4 of its
/// waves.
double duration_of(const std::string& program, const std::string& variation, std::uint64_t groups = 4'096) {
  const ReadText read = read_text(
      "scenario: equal work-groups\ndevice: {base: a100-80gb, dispatch: {interval: {per_work_group: 0 s}}}\n"
      "kernels:\n  k: {global: " +
      std::to_string(256 * groups) + ", local: 256, sub_group: 32, program: [" + program + "]" +
      (variation.empty() ? "" : ", variation: " + variation) + "}\nlaunches: [{kernel: k}]\n");
  REQUIRE(read.problems.empty());
  const Scenario& scenario = read.scenario();
  const RunResult result = simulate(scenario.device, scenario.dispatch, scenario.workload);
  REQUIRE(result.record.outcome == Outcome::completed);
  return static_cast<double>(result.record.active().count) / 1e6;
}

const std::string kReduction =
    "memory: 1 KiB, issue: 200 cycles, slm: {accesses: 2}, barrier, loop: {count: 5, body: [issue: 30 cycles, slm: "
    "{accesses: 2}, barrier]}, memory: 64 B";
const std::string kReadThenCompute = "memory: 1 KiB, compute: 5 us";
const std::string kGridStride = "loop: {count: 8, body: [memory: 1 KiB, compute: 1 us]}";

}  // namespace

TEST_CASE("how little work-groups differ does not change how long a kernel takes by more than 10 %", "[figures]") {
  for (const std::string& program : {kReduction, kReadThenCompute, kGridStride}) {
    const double by_default = duration_of(program, "");
    CAPTURE(program, by_default);
    // With barriers, work-groups draw as wholes; without, their parts draw.
    if (program == kReduction)
      CHECK(by_default == duration_of(program, "{distribution: uniform, cv: 0.005, per: work_group, seed: 0}"));
    for (const char* cv : {"0.0001", "0.005", "0.02", "0.05"}) {
      const double other = duration_of(program, std::string("{distribution: uniform, cv: ") + cv + "}");
      CAPTURE(cv, other);
      CHECK(std::max(other, by_default) / std::min(other, by_default) < 1.1);
    }
  }
}

TEST_CASE("in lock step, equal work-groups read together and compute together: neither is hidden behind the other") {
  CHECK(duration_of(kReadThenCompute, "none") > 1.15 * duration_of(kReadThenCompute, ""));
  // A wave is 864 work-groups: each reads for 8 KiB x 864 / 1,769 GB/s at least, then computes.
  const double wave = 864 * 8 * 1.024 / 1'769 + 5;
  CHECK(duration_of(kReadThenCompute, "none", 864) >= wave);
  CHECK(duration_of(kReadThenCompute, "none", 4 * 864) >= 4 * wave);
}

TEST_CASE("what the memory serves first and last, it serves as fast as in equal parts on the whole") {
  // One wave that only reads: the memory is busy from beginning to end.
  const double in_step = duration_of("memory: 16 KiB", "none", 864);
  const double apart = duration_of("memory: 16 KiB", "{distribution: uniform, cv: 0.0001}", 864);
  CHECK(apart > 0.99 * in_step);
  CHECK(apart < 1.03 * in_step);
}

TEST_CASE("issue slots and banks are not shared evenly, either: what follows them is hidden whatever the spread") {
  const std::string issue_then_compute = "issue: 1000 cycles, compute: 5 us";
  const std::string banks_then_compute = "slm: {accesses: 100}, compute: 5 us";
  for (const std::string& program : {issue_then_compute, banks_then_compute}) {
    const double by_default = duration_of(program, "");
    CAPTURE(program, by_default);
    for (const char* cv : {"0.0001", "0.02", "0.05"}) {
      const double other = duration_of(program, std::string("{distribution: uniform, cv: ") + cv + "}");
      CAPTURE(cv, other);
      CHECK(std::max(other, by_default) / std::min(other, by_default) < 1.1);
    }
    CHECK(duration_of(program, "none") > 1.15 * by_default);
  }
}
