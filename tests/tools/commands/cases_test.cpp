#include "support/process.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

using namespace gdsim::testing;

// Cases and --set, which all commands that take a scenario understand alike.

TEST_CASE("a file with one case needs no --case, of whatever command") {
  const TemporaryFolder folder;
  const std::string file = folder.write("one.yaml", plain_scenario("cases:\n"
                                                                   "  - {name: only, set: {kernels.k.global: 128}}\n"));
  const Ran ran = run_gdsim({"sweep", file, "--vary", "local=8,16", "--format", "csv"});
  INFO(ran.err);
  CHECK(ran.status == 0);
  // 128 work-items are 16 work-groups of 8, as the case says, and 8 of 16.
  CHECK_THAT(ran.out, Catch::Contains("\n8,ok,") && Catch::Contains("\n16,ok,"));
  CHECK(run_gdsim({"run", file}).status == 0);
  CHECK(run_gdsim({"explain", file}).status == 0);
}

TEST_CASE("what --set says wins over what a case sets and over what it expects") {
  const TemporaryFolder folder;
  const std::string file = folder.write("one.yaml", plain_scenario("expect: [{duration: 3 us}]\n"
                                                                   "cases:\n"
                                                                   "  - name: only\n"
                                                                   "    set: {kernels.k.global: 8}\n"
                                                                   "    expect: [{duration: 2 us}]\n"));
  const auto out = folder.path() / "out";
  REQUIRE(
      run_gdsim({"run", file, "--set", "expect.0.duration=40 us", "--set", "kernels.k.global=32", "-o", out.string()})
          .status == 0);
  const std::string as_run = read_file(out / "only" / "scenario_as_run.yaml");
  CHECK_THAT(as_run, Catch::Contains("duration: 40 us") && !Catch::Contains("2 us") && Catch::Contains("global: 32"));
}

TEST_CASE("a case that there is not is refused in the same words by every command") {
  const TemporaryFolder folder;
  const std::string none = folder.write("none.yaml", plain_scenario());
  const std::string two = folder.write("two.yaml", plain_scenario("cases:\n  - {name: a}\n  - {name: b}\n"));
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run"}, {"explain"}, {"sweep", "--vary", "local=8"}}) {
    const auto error = [&](const std::string& file) {
      std::vector<std::string> words = command;
      words.insert(words.end(), {file, "--case", "z"});
      const Ran ran = run_gdsim(words);
      CHECK(ran.status == 2);
      return ran.err;
    };
    INFO(command.front());
    CHECK_THAT(error(none), Catch::Contains("none.yaml:1:1: error: there is no case 'z'; the scenario has no cases"));
    CHECK_THAT(error(two), Catch::Contains("error: there is no case 'z'; known: a, b"));
  }
}

TEST_CASE("a refused case is named in its message, by run and by check alike") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "cases.yaml", plain_scenario("cases:\n"
                                   "  - {name: fits, expect: [{outcome: completed}]}\n"
                                   "  - {name: large, set: {kernels.k.slm: 5 KiB}, expect: [{outcome: completed}]}\n"));
  const Ran run = run_gdsim({"run", file});
  const Ran check = run_gdsim({"check", file});
  CHECK(run.status == 2);
  CHECK(check.status == 2);
  const std::string line = check.err.substr(0, check.err.find('\n'));
  CHECK_THAT(line, Catch::Contains("error: slm: ") && Catch::EndsWith(" (case large)"));
  CHECK(run.err.substr(0, run.err.find('\n')) == line);
  CHECK_THAT(check.err, !Catch::Contains("^ (case"));
}

TEST_CASE("where nothing else is run, a refusal is bad input of run, expected or not, and check evaluates it") {
  const TemporaryFolder folder;
  const std::string expected = "expect: [{error: slm_too_large}]";
  const std::string large = "{name: large, set: {kernels.k.slm: 5 KiB}, " + expected + "}";
  const std::string both = folder.write(
      "both.yaml", plain_scenario("cases:\n  - {name: fits, expect: [{outcome: completed}]}\n  - " + large + "\n"));
  const std::string one = folder.write("one.yaml", plain_scenario("cases:\n  - " + large + "\n"));
  const std::string none = folder.write("none.yaml", plain_scenario(expected + "\n"));
  CHECK(run_gdsim({"run", both}).status == 0);
  CHECK(run_gdsim({"run", both, "--case", "large"}).status == 2);
  CHECK(run_gdsim({"run", one}).status == 2);
  CHECK(run_gdsim({"run", none, "--set", "slm=5 KiB"}).status == 2);
  for (const std::string& file : {both, one}) CHECK(run_gdsim({"check", file}).status == 0);
}
