#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <gdsim/compile/compile.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <catch2/catch.hpp>

#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

constexpr const char* kText =
    "scenario: s\ndevice: tiny\nparameters: {tile: 8}\n"
    "kernels: {k: {global: = tile * 8, local: 8, sub_group: 8, program: [{compute: 1 us}, barrier]}}\n"
    "launches: [{kernel: k}]\n";

ReadOptions with_models() {
  ReadOptions options;
  options.models = {source_path("models")};
  return options;
}

/// What is said of these values.
std::string problems_with(ScenarioMaker& maker, const std::vector<Override>& values) {
  try {
    maker.make(values);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

std::uint64_t work_groups(const Scenario& scenario) { return scenario.workload.kernels.front().range.group_count(); }

}  // namespace

TEST_CASE("each scenario has the values that it was made with, and the file's own where it was given none") {
  ScenarioMaker maker("file.yaml", kText, "/", with_models());
  const std::vector<Override> wide{{"tile", "64"}};
  const std::vector<Override> few_cores{{"device.cores", "3"}, {"kernels.k.local", "4"}};
  CHECK(work_groups(maker.make()) == 8);
  CHECK(work_groups(maker.make(wide)) == 64);
  const Scenario small = maker.make(few_cores);
  CHECK(small.device.cores == 3);
  CHECK(work_groups(small) == 16);
  const Scenario again = maker.make();
  CHECK(work_groups(again) == 8);
  CHECK(again.device.cores != 3);
  CHECK(again.file == "file.yaml");
}

TEST_CASE("a scenario that was made runs as one that was read with the same values", "[figures]") {
  ScenarioMaker maker(source_path("scenarios/tutorial/which_block_size.yaml"), with_models());
  for (const std::string local : {"64", "512"}) {
    const std::vector<Override> values{{"local", local}};
    ReadOptions options = with_models();
    options.overrides = values;
    SourceFiles sources;
    const Scenario read =
        read_scenario(source_path("scenarios/tutorial/which_block_size.yaml"), options, sources).front().scenario;
    const Scenario made = maker.make(values);
    const auto end_of = [](const Scenario& one) {
      return simulate(compile(one.device, one.dispatch, one.workload).value()).record.end.count;
    };
    CHECK(end_of(made) == end_of(read));
  }
}

TEST_CASE(
    "all problems with values are reported at once, each with its place, and the next scenario is made all the same") {
  ScenarioMaker maker("file.yaml", kText, "/", with_models());
  const std::string problems =
      problems_with(maker, {{"kernels.x.local", "4"}, {"tile", "[1, "}, {"launches.7.at", "1 us"}});
  CHECK_THAT(problems, Catch::Contains("there is no kernel 'x'") && Catch::Contains("set tile:2:1") &&
                           Catch::Contains("set: launches.7.at: there is no entry 7"));
  CHECK_THAT(problems_with(maker, {{"kernels.k.locl", "4"}}),
             Catch::Contains("set kernels.k.locl:1:1: error") && Catch::Contains("'local'"));
  CHECK_THAT(problems_with(maker, {{"tile", "1.5"}}), Catch::Contains("file.yaml:4:"));
  CHECK_THAT(problems_with(maker, {{"kernels.k.local", "4096"}}), Catch::Contains("at most"));
  CHECK(work_groups(maker.make()) == 8);
}

TEST_CASE("of two values for one path the later one holds") {
  ScenarioMaker maker("file.yaml", kText, "/", with_models());
  const std::vector<Override> twice{{"tile", "16"}, {"parameters.tile", "32"}};
  CHECK(work_groups(maker.make(twice)) == 32);
}

TEST_CASE("more different values than are remembered are all in force") {
  ScenarioMaker maker("file.yaml", kText, "/", with_models());
  for (std::size_t i = 1; i <= ScenarioMaker::kValuesKept + 10; ++i) {
    const Override value{"tile", std::to_string(i)};
    REQUIRE(work_groups(maker.make({&value, 1})) == i);
  }
}

TEST_CASE("a file with several cases needs one to be chosen, and its models are read once") {
  const std::string text = std::string(kText) + "cases: [{name: a}, {name: b, set: {tile: 24}}]\n";
  CHECK_THROWS_WITH(ScenarioMaker("file.yaml", text, "/", with_models()), Catch::Contains("known: a, b"));
  ReadOptions options = with_models();
  options.only_case = "b";
  ScenarioMaker maker("file.yaml", text, "/", options);
  CHECK(work_groups(maker.make()) == 24);
  const std::size_t read = maker.sources().all().size();
  CHECK(work_groups(maker.make()) == 24);
  CHECK(maker.sources().all().size() == read);
}

TEST_CASE("the options of a scenario are what its file says, and other seeds for each of its runs") {
  ScenarioMaker maker("repeated.yaml", plain_scenario("min_phase: 3 us\nrepeat: 4\n"), ".",
                      {{}, {source_path("models")}, {}, {}});
  const Scenario scenario = maker.make();
  const RunOptions first = run_options_of(scenario);
  CHECK(first.min_phase.time == us(3));
  CHECK(first.seed_offset == 0);
  CHECK(run_options_of(scenario, scenario.repeat - 1).seed_offset == 3);
}
