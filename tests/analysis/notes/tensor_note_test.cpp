#include "support/builders.hpp"
#include "support/scenarios.hpp"
#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

// What a run says of tensor amounts that may have been counted by lane.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// The notes of 1,056 blocks of 8 warps with this program, or of `blocks`.
std::vector<std::string> notes_on(const std::string& program, std::uint64_t blocks = 1056) {
  const ReadText read =
      read_text("scenario: S\ndevice: h100-sxm\nkernels:\n  k: {global: " + std::to_string(256 * blocks) +
                ", local: 256, variation: none, program: [" + program + "]}\nlaunches: [{kernel: k}]\n");
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const Scenario& one = read.scenario();
  const RunResult run = simulate(one.device, one.dispatch, one.workload);
  const LaunchGraph graph = make_launch_graph(one.workload);
  return tensor_notes({one.title, one.device, one.dispatch, one.workload, run.record, graph});
}

/// A product's tile by tile: 16 KiB by the warps of a block, and so many multiply-adds of a warp for it.
std::string product(const std::string& multiply_adds) {
  return "loop: {count: 32, body: [memory: 2 KiB, issue: {" + multiply_adds + "}]}";
}

}  // namespace

TEST_CASE("amounts of one lane are noted, because the tensor pipes could do as many more as a warp has lanes") {
  const std::vector<std::string> notes = notes_on(product("tensor_bf16: 2048"));
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes.front(),
             Catch::StartsWith("k keeps the tensor pipes of its SMs ") &&
                 Catch::Contains("multiply-adds of all 32 lanes of a warp together. If you wrote the amount for one "
                                 "lane, multiply it by 32. You can also count instructions"));
  CHECK(notes_on(product("tensor_bf16: 65536")).empty());
}

TEST_CASE("pipes that do nothing else are noted, too") {
  const std::vector<std::string> notes = notes_on("loop: {count: 32, body: [issue: {tensor_bf16: 2097152}]}");
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes.front(),
             Catch::Contains("If you multiplied the amount by the lanes once too often, divide it by 32."));
}

TEST_CASE("instructions by shape are not noted: their unit is not in doubt") {
  CHECK(notes_on(product("mma: m16n8k16 bf16")).empty());
  CHECK(notes_on("loop: {count: 32, body: [issue: {mma: m16n8k16 bf16, count: 1024}]}").empty());
}

TEST_CASE("cores without work-groups do not count") { CHECK(notes_on(product("tensor_bf16: 65536"), 4).empty()); }
