#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <utility>

using namespace gdsim::testing;

// Ctrl-C: the files up to that instant, and nothing half-written.

namespace {

/// Far more than a run can do before it is stopped: no two work-groups take as long.
std::string endless_scenario(const std::string& more = {}) {
  return "scenario: Endless\ndevice: tiny\nkernels:\n  k:\n    global: 8000000000000\n    local: 8\n    sub_group: 8\n"
         "    program: [compute: 1 us]\n    variation: {distribution: normal, cv: 0.1, seed: 1}\n"
         "launches: [kernel: k]\n" +
         more;
}

/// Ctrl-C in the middle of the run.
Ran interrupted(std::vector<std::string> words) { return run_gdsim_until_signal(SIGINT, std::move(words)); }

}  // namespace

TEST_CASE("an interrupted run writes its files up to that instant and says so") {
  const TemporaryFolder folder;
  const std::string file = folder.write("endless.yaml", endless_scenario());
  const auto out = folder.path() / "out";
  const Ran ran = interrupted({"run", file, "--print", "summary"});
  CHECK(ran.status == 130);
  CHECK_THAT(ran.out, Catch::Contains("\"outcome\": \"interrupted\""));
  CHECK_THAT(ran.err, Catch::Contains("Endless was interrupted at "));
  CHECK(interrupted({"run", file, "-o", out.string()}).status == 130);
  CHECK(folder.listing() ==
        "endless.yaml out out/cores.csv out/graph.dot out/group_states.csv out/kernels.csv out/launches.csv "
        "out/phases.csv "
        "out/scenario_as_run.yaml out/summary.json out/time_use.csv out/timeline.csv out/work_groups.csv");
}

TEST_CASE("a fit that is interrupted writes the best values up to then") {
  const TemporaryFolder folder;
  // The scenario's own 100 work-groups run to their end; the search then begins in the middle, with far more.
  const std::string file = folder.write(
      "s.yaml",
      "scenario: s\ndevice: tiny\nkernels: {k: {global: 100, local: 1, sub_group: 1, program: [compute: 1 us], "
      "variation: {distribution: normal, cv: 0.1, seed: 1}}}\nlaunches: [kernel: k]\n");
  const std::string times = folder.write("times.csv", "time_us\n70\n");
  const std::string out = (folder.path() / "fit.json").string();
  const Ran ran = interrupted(
      {"calibrate", file, "--measured", times, "--fit", "kernels.k.global=100..8000000000", "--jobs", "1", "-o", out});
  CHECK(ran.status == 130);
  CHECK_THAT(ran.err, Catch::Contains("calibrate was interrupted: the values are the best found so far"));
  CHECK_THAT(read_file(out), Catch::Contains("\"value\": \"100\"") && Catch::Contains("\"knowledge\": \"open\"") &&
                                 Catch::Contains("\"interrupted\": true"));
}

TEST_CASE("a run that ends at a bound counts what was dispatched and what has ended until then") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("three_waves.yaml",
                   "scenario: Three waves\ndevice: tiny\nkernels:\n  k:\n    global: 40\n"
                   "    local: 8\n    sub_group: 1\n    program: [compute: 1 us]\nlaunches: [kernel: k]\n");
  const Ran ran = run_gdsim({"run", file, "--max-time", "2.5 us", "-o", (folder.path() / "out").string()});
  CHECK(ran.status == 0);
  CHECK_THAT(ran.err, Catch::Contains("came to its bound at 2.5 us"));
  CHECK_THAT(read_file(folder.path() / "out/launches.csv"), Catch::Contains(",5,") && Catch::Contains(",5,4,0.000,,"));
  const std::string summary = read_file(folder.path() / "out/summary.json");
  CHECK_THAT(summary, Catch::Contains("\"work_groups_total\": 5") && Catch::Contains("\"work_groups_dispatched\": 5") &&
                          Catch::Contains("\"work_groups_ended\": 4") && Catch::Contains("\"end_ns\": 2500.000"));
  CHECK_THAT(read_file(folder.path() / "out/work_groups.csv"), Catch::Contains("k,k,4,0,8,8,2000.000,2000.000,\n"));
  CHECK_THAT(run_gdsim({"run", file, "--max-time", "2.5 us"}).out,
             Catch::Contains("bounded after 2.5 us: 4 of 5 work-groups ended"));
}

TEST_CASE("of several cases, those before the interruption are kept and those behind it not begun") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("endless.yaml", endless_scenario("cases:\n"
                                                    "  - {name: a, set: {kernels.k.global: 8}}\n"
                                                    "  - {name: b}\n"
                                                    "  - {name: c, set: {kernels.k.global: 8}}\n"));
  const Ran ran = interrupted({"run", file, "--jobs", "1"});
  CHECK(ran.status == 130);
  CHECK_THAT(ran.out, Catch::Contains("a     completed") && Catch::Contains("b     interrupted"));
  CHECK(ran.out.find("\nc ") == std::string::npos);
}

TEST_CASE("an interrupted check evaluates nothing more") {
  const TemporaryFolder folder;
  const std::string file = folder.write("endless.yaml", endless_scenario("expect:\n  - outcome: completed\n"));
  const Ran ran = interrupted({"check", file, source_path("scenarios/first_steps.yaml"), "--jobs", "1"});
  CHECK(ran.status == 130);
  CHECK_THAT(ran.out, Catch::Contains("  INTERRUPTED the simulation was interrupted at ") &&
                          Catch::Contains("0 expectations in 1 file") && !Catch::Contains("DEADLOCK"));
}

TEST_CASE("an interrupted report or comparison says so, and what was until then is written") {
  const TemporaryFolder folder;
  const std::string file = folder.write("endless.yaml", endless_scenario());
  const std::string page = (folder.path() / "page.html").string();
  const Ran report = interrupted({"report", file, "-o", page});
  CHECK(report.status == 130);
  CHECK_THAT(report.err, Catch::Contains("Endless was interrupted at "));
  CHECK_THAT(read_file(page), Catch::Contains("<dd>interrupted</dd>"));
  const std::string measured = folder.write("m.csv", "time_us,percent\n0,50\n1,50\n");
  const Ran compare = interrupted({"compare", file, "--measured", measured});
  CHECK(compare.status == 130);
  CHECK_THAT(compare.err, Catch::Contains("Endless was interrupted at "));
  CHECK_THAT(compare.out, Catch::Contains("apart by "));
}

TEST_CASE("a request to end from outside is taken as Ctrl-C is") {
  const TemporaryFolder folder;
  const std::string file = folder.write("endless.yaml", endless_scenario());
  for (const int signal : {SIGTERM, SIGHUP}) {
    const Ran ran = run_gdsim_until_signal(signal, {"run", file, "--print", "summary"});
    CHECK(ran.status == 130);
    CHECK_THAT(ran.out, Catch::Contains("\"outcome\": \"interrupted\""));
  }
}

TEST_CASE("an explanation that is interrupted shows what was tried until then") {
  const TemporaryFolder folder;
  // 900 work-groups run to their end; 1,800 of half the size are interrupted.
  const std::string file = folder.write("s.yaml",
                                        "scenario: Many\ndevice: tiny\nkernels: {k: {global: 14400, local: 16, "
                                        "sub_group: 8, program: [compute: 1 us, barrier, "
                                        "compute: 1 us, barrier, compute: 1 us, barrier, compute: 1 us], variation: "
                                        "{distribution: normal, cv: 0.1, seed: 1}}}\nlaunches: [kernel: k]\n");
  const std::string csv = (folder.path() / "why.csv").string();
  const Ran ran = interrupted({"explain", file, "--jobs", "1", "-o", csv});
  INFO(ran.out);
  CHECK(ran.status == 130);
  CHECK_THAT(ran.err, Catch::Contains("Many was interrupted; what was tried until then is written"));
  CHECK_THAT(read_file(csv), Catch::Contains("\nplacement:round_robin,") && !Catch::Contains("\nlocal:"));
  const Ran at_once = interrupted({"explain", folder.write("endless.yaml", endless_scenario())});
  CHECK(at_once.status == 130);
  CHECK_THAT(at_once.err, Catch::Contains("Endless was interrupted; nothing is explained"));
}
