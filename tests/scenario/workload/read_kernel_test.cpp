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

namespace {

ReadText on_tiger_lake(const std::string& keys) {
  return read_text(
      "scenario: Registers\ndevice: {base: xe-lp-tgl, memory: {levels: [{name: DRAM, bandwidth: 1 GB/s}]}}\nkernels:\n"
      "  k:\n    global: 4096\n    local: 64\n    " +
      keys + "\n    program: [compute: 1 us]\nlaunches: [kernel: k]\n");
}

}  // namespace

TEST_CASE("registers by sub-group size: `auto` is the widest that spills nothing, and a size takes its own number") {
  const std::string by_size = "registers: {8: 60, 16: 110, 32: 220}";
  const ReadText chosen = on_tiger_lake("sub_group: auto\n    " + by_size);
  INFO(chosen.problems);
  REQUIRE(chosen.problems.empty());
  const Kernel& kernel = chosen.scenario().workload.kernels[0];
  CHECK(kernel.sub_group == 16);  // 220 are more than the 128 GRFs of a thread
  CHECK(kernel.needs.registers == 110);
  const ReadText given = on_tiger_lake("sub_group: 8\n    " + by_size);
  REQUIRE(given.problems.empty());
  CHECK(given.scenario().workload.kernels[0].needs.registers == 60);
  CHECK_THAT(on_tiger_lake("sub_group: 32\n    registers: {8: 60, 16: 110}").problems,
             Catch::StartsWith("8:16: registers: has no number for sub_group 32, only for 8, 16") &&
                 Catch::Contains("registers: {32: 64}"));
  CHECK_THAT(on_tiger_lake("sub_group: 8\n    registers: {8: 60, 16: banana}").problems, Catch::Contains("banana"));
  CHECK_THAT(on_tiger_lake("sub_group: auto\n    registers: {32: 220}").problems,
             Catch::Contains("registers: has only 32, none of which fits the device and the work-group"));
  const ReadText computed = on_tiger_lake("sub_group: auto\n    registers: {8: 60, 16: = 100 + 10}");
  INFO(computed.problems);
  REQUIRE(computed.problems.empty());
  CHECK(computed.scenario().workload.kernels[0].sub_group == 16);
}

TEST_CASE("what is spilled is a store and loads behind the program") {
  const ReadText read = on_tiger_lake("sub_group: 16\n    spill: {bytes: 128 B, accesses: 4}");
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const Program& program = read.scenario().workload.kernels[0].program;
  REQUIRE(program.size() == 5);
  CHECK(is_store(std::get<Memory>(program[1])));
  for (std::size_t i = 1; i < 5; ++i) CHECK(std::get<Memory>(program[i]).bytes == Bytes{128});
  for (std::size_t i = 2; i < 5; ++i) CHECK_FALSE(is_store(std::get<Memory>(program[i])));
  const ReadText scaled = on_tiger_lake("sub_group: 16\n    program_sub_group: 32\n    spill: {bytes: 128 B}");
  REQUIRE(scaled.problems.empty());
  CHECK(std::get<Memory>(scaled.scenario().workload.kernels[0].program[1]).bytes == Bytes{128});
  CHECK_THAT(on_tiger_lake("sub_group: 16\n    spill: {bytes: 128 B, accesses: 1}").problems,
             Catch::StartsWith("8:37: accesses: "));
  CHECK_THAT(on_tiger_lake("sub_group: 16\n    spill: {accesses: 4}").problems, Catch::Contains("'bytes' is missing"));
}
