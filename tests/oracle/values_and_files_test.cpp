#include "oracle/scenario_yaml.hpp"
#include "support/process.hpp"
#include "support/run_outputs.hpp"
#include "support/scenarios.hpp"

#include <gdsim/scenario/read_scenario.hpp>

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

RandomRun values_of(const Scenario& scenario) {
  RandomRun run{scenario.device, scenario.workload};
  run.device.dispatch = scenario.dispatch;
  return run;
}

/// Every case of every shipped scenario that can run.
std::vector<ScenarioCase> shipped_cases(SourceFiles& sources) {
  namespace fs = std::filesystem;
  ReadOptions options;
  options.models.emplace_back(source_path("models"));
  std::vector<ScenarioCase> cases;
  for (const auto& file : fs::recursive_directory_iterator(source_path("scenarios"))) {
    if (file.path().extension() != ".yaml") continue;
    for (ScenarioCase& one : read_scenario(file.path(), options, sources))
      if (one.scenario.refusals.empty()) cases.push_back(std::move(one));
  }
  return cases;
}

}  // namespace

TEST_CASE("a kernel in values runs as the same kernel in a file, in every shipped scenario") {
  SourceFiles sources;
  std::size_t compared = 0;
  for (const ScenarioCase& one : shipped_cases(sources)) {
    INFO(one.scenario.name << " " << one.name);
    const RandomRun values = values_of(one.scenario);
    const std::string text = oracle::scenario_yaml(values);
    const ReadText file = read_text(text);
    INFO(text.substr(0, 4'000));
    REQUIRE(file.problems == "");
    CHECK(counts_of(values, {}) == counts_of(values_of(file.scenario()), {}));
    ++compared;
  }
  CHECK(compared > 100);
}

TEST_CASE("what is drawn by default follows from the kernel, whoever made it") {
  Kernel kernel;
  kernel.program = {Memory{Bytes{1'024}}};
  REQUIRE(draw_in_force(kernel));
  CHECK(draw_in_force(kernel)->origin == DrawOrigin::by_default);
  kernel.variation.is_lock_step = true;
  CHECK_FALSE(draw_in_force(kernel));
}
