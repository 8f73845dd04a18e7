#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace gdsim;
using namespace gdsim::testing;

// Threads of a work-group without a barrier drift apart, and a step that represents many iterations is shared evenly.
// So the duration of a kernel does not depend on the size of its work-groups, and its threads end together.

namespace {

struct Ran {
  double microseconds = 0;
  double mean_occupancy = 0;  ///< percent
};

/// On eight SMs of an A100, with their part of its bandwidth; half of the warps fit.
Ran run_on_eight_sms(const std::string& program, std::uint64_t local, std::uint64_t work_items) {
  const ReadText read = read_text(
      "scenario: drift\ndevice: {base: a100-80gb, cores: 8, memory: {levels: [{name: L2, capacity: 40 MiB, bandwidth: "
      "400 GB/s, latency: 206 cycles}, {name: HBM2e, bandwidth: 131 GB/s, latency: 391 ns}]}}\n"
      "kernels:\n  k: {global: " +
      std::to_string(work_items) + ", local: " + std::to_string(local) + ", sub_group: 32, registers: 64, program: [" +
      program + "]}\nlaunches: [{kernel: k}]\n");
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const Scenario& scenario = read.scenario();
  const RunResult result = simulate(scenario.device, scenario.dispatch, scenario.workload);
  REQUIRE(result.record.outcome == Outcome::completed);
  const Ratio mean = result.record.mean_occupancy();
  return {static_cast<double>(result.record.active().count) / 1e6,
          100 * static_cast<double>(mean.numerator) / static_cast<double>(mean.denominator)};
}

constexpr std::uint64_t kFourWaves = 4 * 8 * 1024;

}  // namespace

TEST_CASE("without a barrier and at equal occupancy, the size of work-groups changes the duration by 6 % at most",
          "[figures]") {
  for (const char* program :
       {"loop: {count: 1000, body: [memory: 256 B]}", "loop: {count: 1000, body: [issue: 100 cycles]}",
        "loop: {count: 200, body: [memory: 256 B, memory: 256 B]}",
        "loop: {count: 200, body: [memory: 512 B, issue: 100 cycles]}",
        "loop: {count: 200, body: [memory: 512 B, compute: 2000 cycles]}"}) {
    const double small = run_on_eight_sms(program, 64, kFourWaves).microseconds;
    for (const std::uint64_t local : {128, 256, 512, 1024}) {
      CAPTURE(program, local, small);
      const double time = run_on_eight_sms(program, local, kFourWaves).microseconds;
      CHECK(std::max(time, small) / std::min(time, small) < 1.06);
    }
  }
}

TEST_CASE("threads that go through a loop of one step end together, and not half of them early") {
  for (const char* program :
       {"loop: {count: 1000, body: [memory: 256 B]}", "loop: {count: 1000, body: [issue: 100 cycles]}"})
    CHECK(run_on_eight_sms(program, 256, kFourWaves).mean_occupancy > 49);  // of 50
}

TEST_CASE("threads that read once are served first and last: a wave of short work-groups ends bit by bit") {
  const double once = run_on_eight_sms("memory: 256 B", 256, 8 * 1024).mean_occupancy;
  const double often = run_on_eight_sms("loop: {count: 100, body: [memory: 256 B]}", 256, 8 * 1024).mean_occupancy;
  CHECK(once < 0.95 * often);
}
