#include "support/builders.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/base/diagnostic.hpp>

#include <catch2/catch.hpp>

// Tables of work-groups in files beside the scenario.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

struct Read {
  std::vector<ScenarioCase> cases;
  std::string problems;  ///< `FILE:LINE: message` each
};

/// The plain scenario (8 work-groups of one thread, 1 us each) with a table `t.csv`.
Read read_with(const std::string& variation, const std::string& table, const std::string& more = {},
               const std::string& program = "[compute: 1 us]") {
  const TemporaryFolder folder;
  folder.write("t.csv", table);
  const std::string file = folder.write(
      "s.yaml", "scenario: s\ndevice: tiny\nkernels:\n  k: {global: 64, local: 8, sub_group: 8, program: " + program +
                    ", variation: " + variation + "}\nlaunches: [{kernel: k}]\n" + more);
  ReadOptions options;
  options.models.emplace_back(source_path("models"));
  SourceFiles sources;
  Read read;
  try {
    read.cases = read_scenario(file, options, sources);
  } catch (const InputError& error) {
    for (const Diagnostic& problem : error.problems())
      read.problems += problem.file.substr(problem.file.rfind('/') + 1) + ":" + std::to_string(problem.line) + ": " +
                       problem.message + "\n";
  }
  return read;
}

FullRun run_of(const Read& read) {
  const Scenario& scenario = read.cases.at(0).scenario;
  return run_fully(scenario.device, scenario.dispatch, scenario.workload);
}

}  // namespace

TEST_CASE("durations of work-groups come from a file, those that it does not name take what the program says") {
  const Read read = read_with("{work_groups: t.csv}", "work_group,duration\n3,2500 ns\n0,1 ns\n");
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const FullRun run = run_of(read);
  const auto& groups = run.work_groups.records_of(launch(0));
  CHECK(*groups[0].ended - *groups[0].fully_placed == ns(1));
  CHECK(*groups[1].ended - *groups[1].fully_placed == us(1));
  CHECK(*groups[3].ended - *groups[3].fully_placed == ns(2500));
}

TEST_CASE("factors come from a file in any order of its columns") {
  const Read read = read_with("{work_groups: t.csv}", "factor,work_group\n1.5,7\n");
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  CHECK(*run_of(read).work_groups.records_of(launch(0))[7].ended == at(ns(1500)));
}

TEST_CASE("a duration may stand in the scenario itself, beside factors") {
  const Read read = read_with("{work_groups: {2: 3 us, 4: 0.5}}", "");
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const FullRun run = run_of(read);
  CHECK(*run.work_groups.records_of(launch(0))[2].ended == at(us(3)));
  CHECK(*run.work_groups.records_of(launch(0))[4].ended == at(ns(500)));
}

TEST_CASE("what is wrong with a table is said with its line in the table") {
  CHECK(read_with("{work_groups: t.csv}", "work_group,duration\n0,5\n").problems.find("t.csv:2: duration: '5' ") == 0);
  CHECK(read_with("{work_groups: t.csv}", "work_group,factor\n0,1\n0,2\n").problems ==
        "t.csv:3: work_group: 0 stands in line 2 already\n");
  CHECK_THAT(read_with("{work_groups: t.csv}", "work_group,factor\n8,1\n").problems,
             Catch::Contains("t.csv:2: ") && Catch::Contains("there is no work-group 8; the kernel has 8"));
  CHECK(read_with("{work_groups: t.csv}", "work_group,duration,core\n0,1 us,2\n").problems ==
        "t.csv:1: unknown column 'core'; known: work_group, duration, factor\n");
  CHECK_THAT(read_with("{work_groups: t.csv}", "work_group,duration,factor\n0,1 us,2\n").problems,
             Catch::Contains("exactly one of the columns 'duration' and 'factor' is needed; both are there"));
  CHECK_THAT(read_with("{work_groups: t.csv}", "duration\n1 us\n").problems,
             Catch::Contains("the column 'work_group' is missing"));
  CHECK_THAT(read_with("{work_groups: t.csv}", "work_group,duration\n").problems,
             Catch::Contains("no work-group stands below the header"));
  CHECK_THAT(read_with("{work_groups: t.csv}", "work_group,duration\n1,0 ns\n").problems,
             Catch::Contains("the duration rounds to 0 ps"));
}

TEST_CASE("a table that is not there is named where the scenario names it") {
  CHECK_THAT(read_with("{work_groups: other.csv}", "").problems,
             Catch::StartsWith("s.yaml:4: ") && Catch::Contains("other.csv cannot be read"));
}

TEST_CASE("a duration is only for a program of one compute") {
  CHECK_THAT(
      read_with("{work_groups: t.csv}", "work_group,duration\n1,5 us\n", "", "[barrier, compute: 1 us]").problems,
      Catch::Contains("t.csv:2: ") && Catch::Contains("a duration is for a kernel whose program is one `compute`"));
}

TEST_CASE("a measured placement comes from a file, which may have times, too") {
  const auto expect = [](const std::string& at_least) {
    return read_with("{}", "work_group,core,start,end\n0,0,0 ns,1 us\n1,0,0 ns,1 us\n4,1,0 ns,1 us\n5,0,0 ns,1 us\n",
                     "expect: [{share_on_core: {measured: t.csv, at_least: " + at_least + "}}]\n");
  };
  const Read read = expect("75");
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const auto& item = std::get<ExpectedShareOnCore>(read.cases.at(0).scenario.expectations.at(0).item);
  REQUIRE(item.measured.size() == 4);
  CHECK(item.measured[2].work_group == group(4));
  CHECK(item.measured[2].core == core(1));
  CHECK_THAT(expect("101").problems, Catch::Contains("is more than 100 %"));
}

TEST_CASE("a table that two kernels name is the same for both, and missed by both if it is not there") {
  const auto read_two = [](const std::string& table) {
    const TemporaryFolder folder;
    if (!table.empty()) folder.write("t.csv", table);
    const std::string kernel =
        ": {global: 64, local: 8, sub_group: 8, program: [compute: 1 us], variation: {work_groups: t.csv}}\n";
    const std::string file = folder.write("s.yaml", "scenario: s\ndevice: tiny\nkernels:\n  k" + kernel + "  l" +
                                                        kernel + "launches: [{kernel: k}, {kernel: l, after: [k]}]\n");
    ReadOptions options;
    options.models.emplace_back(source_path("models"));
    SourceFiles sources;
    Read read;
    try {
      read.cases = read_scenario(file, options, sources);
    } catch (const InputError& error) {
      for (const Diagnostic& problem : error.problems()) read.problems += std::to_string(problem.line) + " ";
    }
    return read;
  };
  const Read read = read_two("work_group,duration\n2,5 us\n");
  REQUIRE(read.problems.empty());
  const FullRun run = run_of(read);
  CHECK(*run.work_groups.records_of(launch(0))[2].ended == at(us(5)));
  CHECK(*run.work_groups.records_of(launch(1))[2].ended == at(us(10)));
  CHECK(read_two("").problems == "4 5 ");
}
