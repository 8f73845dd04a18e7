#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

std::string problems_of(const std::string& expected, const std::string& launches = {}) {
  return read_text(plain_scenario(launches + "expect:\n  - " + expected + "\n")).problems;
}

}  // namespace

TEST_CASE("only times take a tolerance in percent of themselves") {
  CHECK(problems_of("{duration: 1 us, within: 2 %}").empty());
  CHECK(problems_of("{launches: {k: {end: 1 us}}, within: 2 %}").empty());
  for (const char* expected : {"outcome: completed", "phase_threads: [8]", "placement: {k: [0]}"}) {
    INFO(expected);
    CHECK_THAT(problems_of("{" + std::string(expected) + ", within: 2 %}"), Catch::Contains("is compared exactly"));
  }
  CHECK_THAT(problems_of("{phases: [50], within: 2 %}"), Catch::Contains("percent stand here without their sign"));
}

TEST_CASE("a share on measured cores names its launch as soon as there are two") {
  const std::string share = "share_on_core: {measured: {0: 0}, at_least: 50}";
  CHECK(problems_of(share).empty());
  CHECK_THAT(problems_of(share, "  - {kernel: k, name: other}\n"),
             Catch::Contains("the scenario has several launches; add `launch: NAME`"));
  CHECK(problems_of("share_on_core: {launch: other, measured: {0: 0}, at_least: 50}", "  - {kernel: k, name: other}\n")
            .empty());
}

TEST_CASE("of the work-groups that were measured no more than all can be expected on their cores") {
  CHECK(problems_of("share_on_core: {measured: {0: 0}, at_least: 100}").empty());
  CHECK_THAT(problems_of("share_on_core: {measured: {0: 0}, at_least: 100.1}"), Catch::Contains("is more than 100 %"));
}

TEST_CASE("what is expected of a launch and is no mapping, or of one that there is not, is one problem") {
  for (const char* launches : {"{k: 5}", "{m: {end: 1 us}}", "{m: {}}"}) {
    INFO(launches);
    const std::string problems = problems_of("launches: " + std::string(launches));
    CHECK(std::count(problems.begin(), problems.end(), '\n') == 1);
  }
}

TEST_CASE("an unknown launch is refused with those that there are, up to a hundred of them") {
  const auto problems = [](int launches) {
    std::string more;
    for (int i = 1; i < launches; ++i) more += "  - {kernel: k, name: n" + std::to_string(i) + "}\n";
    return problems_of("launches: {m: {end: 1 us}}", more);
  };
  CHECK_THAT(problems(1), Catch::Contains("there is no launch 'm'; known: k\n"));
  CHECK_THAT(problems(3), Catch::Contains("there is no launch 'm'; known: k, n1, n2\n"));
  CHECK_THAT(problems(100), Catch::Contains("there is no launch 'm'; known: k, n1, n10, n11, "));
  CHECK_THAT(problems(101), Catch::Contains("there is no launch 'm'\n"));
}
