#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

ReadText with_program(const std::string& program) {
  return read_text(
      "scenario: Plain\ndevice: a100-80gb\nkernels:\n  k:\n    global: 64\n    local: 64\n    sub_group: 32\n"
      "    program: " +
      program + "\nlaunches: [kernel: k]\n");
}

Program program_of(const std::string& text) {
  const ReadText read = with_program(text);
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  return read.scenario().workload.kernels[0].program;
}

}  // namespace

TEST_CASE("a memory step is a quantity, or a mapping that says whether its thread goes on at once") {
  const Program program = program_of(
      "[memory: 4 KiB, memory: {bytes: 2 KiB}, memory: {bytes: 1 KiB, asynchronous: true}, memory: {bytes: 3 B, "
      "asynchronous: false}, memory: {bytes: = 2 * 8 B, asynchronous: true}]");
  const std::vector<std::pair<std::int64_t, bool>> expected{
      {4096, false}, {2048, false}, {1024, true}, {3, false}, {16, true}};
  REQUIRE(program.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(std::get<Memory>(program[i]).bytes == Bytes{expected[i].first});
    CHECK(std::get<Memory>(program[i]).is_asynchronous == expected[i].second);
  }
}

TEST_CASE("a memory step that counts elements moves the lines of the device's memory that they lie in") {
  // On an A100: lines of 32 B, 32 work-items to a thread.
  const Program program =
      program_of("[memory: {elements: 1}, memory: {elements: 3, element: 8 B, stride: 2, asynchronous: true}]");
  CHECK(std::get<Memory>(program[0]).bytes == Bytes{128});
  CHECK(std::get<Memory>(program[1]).bytes == Bytes{3 * 512});
  CHECK(std::get<Memory>(program[1]).is_asynchronous);
}

TEST_CASE("what does not belong together in a memory step is refused with what does") {
  const auto problems = [](const std::string& step) { return with_program("[memory: " + step + "]").problems; };
  CHECK_THAT(problems("{bytes: 4 B, stride: 2}"),
             Catch::Contains("stride: needs `elements`, as in `memory: {elements: 1"));
  CHECK_THAT(problems("{bytes: 4 B, elements: 2}"), Catch::Contains("bytes: stands beside `elements`"));
  CHECK_THAT(problems("{elements: 1, element: 0 B}"), Catch::Contains("must be 1 B to 1 KiB"));
  CHECK_THAT(problems("{stride: 1}"), Catch::Contains("bytes"));
  CHECK_THAT(
      read_text("scenario: S\ndevice: tiny\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [memory: "
                "{elements: 1}]}\nlaunches: [kernel: k]\n")
          .problems,
      Catch::Contains("memory"));
}

TEST_CASE("a wait for loads stands alone, or says how many may stay outstanding") {
  const Program program =
      program_of("[memory: {bytes: 1 KiB, asynchronous: true}, wait_memory, wait_memory: {outstanding: 3}]");
  REQUIRE(program.size() == 3);
  CHECK(std::get<WaitMemory>(program[1]).outstanding == 0);
  CHECK(std::get<WaitMemory>(program[2]).outstanding == 3);
}

TEST_CASE("a program of asynchronous loads shares the memory: its work-groups differ by default") {
  const ReadText read = with_program("[memory: {bytes: 1 KiB, asynchronous: true}]");
  CHECK(draw_in_force(read.scenario().workload.kernels[0]).has_value());
}

TEST_CASE("an issue step is an amount of slots, or instructions by kind in the order of writing") {
  const Program program = program_of("[issue: 5000 cycles, issue: {int32: 7, fp32: = 4 * 256, tensor_fp16: 65536}]");
  CHECK(std::get<IssueSlots>(program[0]).by_kind.empty());
  const auto& kinds = std::get<IssueSlots>(program[1]).by_kind;
  REQUIRE(kinds.size() == 3);
  CHECK(kinds[0].kind == "int32");
  CHECK(kinds[1].count == 1024);
  CHECK(kinds[2].kind == "tensor_fp16");
}

TEST_CASE("a program of instructions by kind shares its engines: its work-groups differ by default, upwards only") {
  const auto draw = [](const char* program) {
    return draw_in_force(with_program(program).scenario().workload.kernels[0]);
  };
  REQUIRE(draw("[issue: {fp32: 8}]").has_value());
  CHECK(draw("[issue: {fp32: 8}]")->only_lengthens);
  CHECK(draw("[loop: {count: 2, body: [issue: {fp32: 8}]}, memory: 1 KiB]")->only_lengthens);
  CHECK_FALSE(draw("[issue: 8 cycles]")->only_lengthens);
}

TEST_CASE("a call of CUDA, SYCL or OpenCL in the place of a step is answered with the step") {
  for (const char* call : {"syncthreads", "__syncthreads()", "bar.sync 0"})
    CHECK_THAT(with_program("[compute: 1 us, \"" + std::string(call) + "\"]").problems,
               Catch::Contains("; write `- barrier`"));
  for (const char* step : {"group_barrier: {}", "__syncthreads: {}", "s_barrier", "barrier: {}"})
    CHECK_THAT(with_program("[compute: 1 us, " + std::string(step) + "]").problems,
               Catch::Contains("write `- barrier`") && !Catch::Contains("grid_barrier'?"));
  const std::vector<std::pair<std::string, std::string>> lines{
      {"load", "memory: 4 KiB"},
      {"load: {bytes: 1 KiB}", "memory: 4 KiB"},
      {"sub_group_load", "memory: {bytes: 256 B, block: true}"},
      {"sub_group_store: 1", "store: {bytes: 256 B, block: true}"},
      {"async_copy: {}", "memory: {bytes: 4 KiB, asynchronous: true}"}};
  for (const auto& [call, line] : lines) {
    CHECK_THAT(with_program("[" + call + "]").problems, Catch::Contains("; write `- " + line + "`"));
    CHECK(with_program("[" + line + "]").problems.empty());
  }
  CHECK_THAT(with_program("[sub_group_barrier, compute: 1 us]").problems, Catch::Contains("; leave it out:"));
  CHECK_THAT(with_program("[compute: 1 us, __threadfence()]").problems, Catch::Contains("; write `- fence`"));
  CHECK_THAT(with_program("[compute: 1 us, barier]").problems, Catch::Contains("did you mean 'barrier'?"));
}

TEST_CASE("signals and waits are names, or say what passes at first, or are of flags of the launch") {
  const Program program = program_of(
      "[signal: a, wait: a, signal: {name: b, initially: = 2 * 2}, signal: {name: f, scope: launch, index: 3}, wait: "
      "{name: f, scope: launch, index: = 1 - 2}, wait: {name: b, scope: work_group}, compute: 1 us]");
  CHECK(std::get<Signal>(program[0]).name == "a");
  CHECK_FALSE(std::get<Signal>(program[0]).index);
  CHECK(std::get<Signal>(program[2]).initially == 4);
  CHECK(std::get<Signal>(program[3]).index == 3);
  CHECK(std::get<Wait>(program[4]).index == -1);
  CHECK_FALSE(std::get<Wait>(program[5]).index);
}

TEST_CASE("signals and waits that say too little or too much are refused") {
  const auto problems = [](const std::string& steps) {
    return with_program("[" + steps + ", compute: 1 us]").problems;
  };
  CHECK_THAT(problems("signal: {name: f, scope: launch}"), Catch::Contains("scope: needs an `index`"));
  CHECK_THAT(problems("wait: {name: f, index: 3}"), Catch::Contains("index: needs `scope: launch`"));
  CHECK_THAT(problems("signal: {name: f, scope: launch, index: 1.5}"), Catch::Contains("a whole number is needed"));
  CHECK_THAT(problems("signal: {name: f, scope: launch, index: 1, initially: 2}"),
             Catch::Contains("initially: is for signals inside of a work-group"));
  CHECK_THAT(problems("wait: {name: f, initially: 2}"), Catch::Contains("unknown key 'initially'"));
  CHECK_THAT(problems("wait: {scope: launch, index: 2}"), Catch::Contains("the key 'name' is missing"));
}

TEST_CASE("a flag that nobody signals, and signals that disagree on what passes, are refused") {
  const auto refused = [](const std::string& steps) { return with_program("[" + steps + ", compute: 1 us]").problems; };
  CHECK_THAT(refused("signal: f, wait: {name: f, scope: launch, index: 0}"),
             Catch::Contains("no step of the kernel signals the flag 'f' of the launch"));
  CHECK_THAT(refused("signal: {name: e, initially: 2}, signal: e, signal: {name: e, initially: 3}"),
             Catch::Contains("lets 3 waits for 'e' pass, an earlier signal 2"));
  CHECK_THAT(refused("tiles: {list: l, count: 4, take: static, body: [compute: 1 us, signal: {name: f, scope: launch, "
                     "index: 0}]}"),
             Catch::Contains("work-groups take tiles, so no flag of the launch belongs to one of them here"));
}

TEST_CASE("multicast is for asynchronous loads of a cluster of as many work-groups") {
  const auto problems = [](const std::string& memory) { return with_program("[memory: " + memory + "]").problems; };
  CHECK_THAT(problems("{bytes: 1 KiB, multicast: 2}"), Catch::Contains("multicast: needs an asynchronous load"));
  CHECK_THAT(problems("{bytes: 1 KiB, asynchronous: true, multicast: 2}"),
             Catch::Contains("serves 2 work-groups of a cluster, but the kernel has no `cluster`; write `cluster: 2`"));
  CHECK_THAT(problems("{bytes: 1 KiB, asynchronous: true, multicast: 65}"), Catch::Contains("too large: at most 64"));
  CHECK(problems("{bytes: 1 KiB, asynchronous: true, multicast: 1}").empty());
}
