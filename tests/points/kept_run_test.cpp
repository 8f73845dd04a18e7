#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <gdsim/points/kept_run.hpp>
#include <gdsim/points/point_notes.hpp>
#include <gdsim/scenario/compile_scenario.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

Scenario vector_add4() {
  ReadOptions options;
  options.models = {source_path("models")};
  return ScenarioMaker(source_path("scenarios/vector_add4.yaml"), options).make();
}

}  // namespace

TEST_CASE("a run keeps what it was asked to keep, and its report has that and no more") {
  const Scenario scenario = vector_add4();
  const Compiled compiled = compile_scenario(scenario);
  const KeptRun bare(scenario, compiled, {}, InternalRunOptions{});
  CHECK(bare.result().timeline.empty());
  CHECK(bare.cores() == nullptr);
  CHECK(bare.work_groups() == nullptr);
  const KeptRun full(scenario, compiled, {Keeps::timeline, Keeps::cores, Keeps::work_groups}, InternalRunOptions{});
  CHECK(full.result().timeline.size() == 4);
  REQUIRE(full.cores() != nullptr);
  REQUIRE(full.work_groups() != nullptr);
  CHECK(full.work_groups()->records_of(LaunchId{0}).size() == 8);
  CHECK(full.record().end == bare.record().end);
  const RunReport report = full.report({"tile = 8"}, {"a note"});
  CHECK(report.cores == full.cores());
  CHECK(report.launches == nullptr);
  CHECK(report.changes == std::vector<std::string>{"tile = 8"});
  CHECK(report.notes == std::vector<std::string>{"a note"});
}

TEST_CASE("a run of many events is not repeated for a note on products") {
  const ReadText read = read_text(
      "scenario: S\ndevice: h100-sxm\nkernels:\n"
      "  k: {global: 33792, local: 256, sub_group: 32, registers: 128, program: [{loop: {count: 8, body: "
      "[{memory: 4 KiB}, {issue: {tensor_bf16: 32768}}]}}]}\nlaunches: [{kernel: k}]\n");
  REQUIRE(read.problems.empty());
  RunResult run = simulate(compile_scenario(read.scenario()));
  CHECK(product_notes(read.scenario(), run, {}).size() == 1);
  run.events = 3'000'001;
  CHECK(product_notes(read.scenario(), run, {}).empty());
}

TEST_CASE("simulated time that leaves 64 bits is a problem of the scenario's file") {
  ReadOptions options;
  options.models = {source_path("models")};
  ScenarioMaker maker("long.yaml",
                      "scenario: s\ndevice: tiny\n"
                      "kernels: {k: {global: 8000000, local: 8, sub_group: 8, program: [{compute: 9000000 s}]}}\n"
                      "launches: [{kernel: k}]\n",
                      ".", options);
  const Scenario scenario = maker.make();
  const Compiled compiled = compile_scenario(scenario);
  CHECK_THROWS_WITH(KeptRun(scenario, compiled, {}, InternalRunOptions{}), Catch::Contains("long.yaml"));
}
