#include "scaling/run_list.hpp"
#include "scaling/scaling_case.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>

using namespace gdsim::scaling;

TEST_CASE("keys have names of their own that fit into a table, and so have the rules of a key") {
  std::set<std::string> names;
  for (const Key& key : all_keys()) {
    INFO(key.name);
    CHECK(key.name.find(',') == std::string::npos);
    CHECK(names.insert(key.name).second);
    CHECK_FALSE(key.rules.empty());
    std::set<std::string> rules;
    for (const Rules& one : key.rules) {
      INFO(one.name());
      CHECK(one.name().find(',') == std::string::npos);
      CHECK(rules.insert(one.name()).second);
    }
  }
}

TEST_CASE("every key's scenario can be run under all rules, at its smallest size and repeated") {
  for (const Key& key : all_keys())
    for (const Rules& rules : key.rules)
      for (const std::uint64_t count : {key.smallest, 2 * key.smallest}) {
        INFO(key.name << ", " << rules.name() << ", " << count);
        const gdsim::testing::ReadText read = gdsim::testing::read_text(key.scenario(rules, count));
        REQUIRE(read.problems == "");
        for (const gdsim::ScenarioCase& one : read.cases) CHECK(one.scenario.refusals.empty());
      }
}

TEST_CASE("what is written to be measured is read again") {
  const gdsim::testing::TemporaryFolder folder;
  const std::string path = folder.path().string();
  CHECK(write_runs(path, Selection::brief, "after: all") == 0);
  const auto runs = read_runs(path);
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].name == "after: all,a100-80gb,1,0");
  CHECK(runs[0].is_smallest);
  CHECK(runs[0].command == std::vector<std::string>{"run", path + "/1.yaml", "--print", "phases"});
  CHECK(runs[2].name == "after: all,a100-80gb,1000,2");
  CHECK_FALSE(runs[2].is_smallest);
  CHECK(text_of_file(path + "/3.yaml").find("device: a100-80gb") != std::string::npos);
}
