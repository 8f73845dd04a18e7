#include "support/scenarios.hpp"
#include <gdsim/counterfactual/program_change.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// 4 work-groups.
ReadText with_program(const std::string& program) {
  return read_text(
      "scenario: S\ndevice: {base: tiny, clock: 1 GHz, arithmetic: {fp32: 8}, atomics: {slm: 1, global: 1}, "
      "slm_access: "
      "{banks: 16, bank_width: 4 B, latency: 0 cycles}, memory: {levels: [{name: HBM, bandwidth: 1 GB/s}]}}\n"
      "kernels:\n  k: {global: 32, local: 8, sub_group: 8, program: " +
      program + "}\nlaunches: [kernel: k]\n");
}

Program mean_of(const std::string& program) {
  const ReadText read = with_program(program);
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const Kernel& kernel = read.scenario().workload.kernels.front();
  REQUIRE(kernel.differs_by_group());
  return mean_program(kernel);
}

}  // namespace

TEST_CASE("the mean program has the mean of every amount, a loop's weighted by its iterations") {
  const Program mean = mean_of(
      "[memory: = (group + 1) * 1 KiB, slm: {accesses: = 2 * group + 1}, atomic: {accesses: = 2 * group + 1, "
      "addresses: 4, space: global}, only: {threads: 0, body: [compute: = group + 1 us]}, loop: {count: = 2 * group, "
      "body: "
      "[memory: = (group + 1) * 60 B]}]");
  CHECK(std::get<Memory>(mean.at(0)).bytes == Bytes{2'560});  // (1 + 2 + 3 + 4) / 4 KiB
  CHECK(std::get<Slm>(mean.at(1)).accesses == 4);             // (1 + 3 + 5 + 7) / 4
  CHECK(std::get<Atomic>(mean.at(2)).accesses == 4);
  const auto& part = std::get<Only>(mean.at(3));
  CHECK(to_text(std::get<Compute>(part.body.at(0)).time.amount) == "2500000");
  const auto& loop = std::get<Loop>(mean.at(4));
  CHECK(loop.count == 3);  // (0 + 2 + 4 + 6) / 4
  // 60 B x (2 x 2 + 4 x 3 + 6 x 4) over 4 work-groups x 3 iterations.
  CHECK(std::get<Memory>(loop.body.at(0)).bytes == Bytes{200});
}

TEST_CASE("the mean of counts that is no whole number is in the body of the loop") {
  const Program mean = mean_of("[compute: 1 us, loop: {count: = group + 1, body: [memory: 600 B]}]");
  CHECK(std::get<Loop>(mean.at(1)).count == 3);                                        // 2.5, rounded up
  CHECK(std::get<Memory>(std::get<Loop>(mean.at(1)).body.at(0)).bytes == Bytes{500});  // 600 B x 2.5 / 3
}

TEST_CASE("a program's estimated length is the sum of its steps, memory shared by all contexts") {
  const auto length = [](const std::string& program) {
    const ReadText read = with_program(program);
    INFO(read.problems);
    REQUIRE(read.problems.empty());
    const Kernel& kernel = read.scenario().workload.kernels.front();
    return estimated_length(kernel.program, kernel, read.scenario().device);
  };
  CHECK(length("[compute: 2 us]") == 2e6);
  CHECK(length("[issue: 100 cycles, slm: {accesses: 5}]") == 105'000);
  CHECK(length("[memory: 100 B]") == Approx(100.0 * 1'000 * 16));  // 1 B per ns, of 16 contexts
  CHECK(length("[loop: {count: 3, body: [compute: 2 us, only: {threads: 0, body: [compute: 1 us]}]}]") == 9e6);
}
