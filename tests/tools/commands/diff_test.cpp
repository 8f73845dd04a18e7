#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <nlohmann/json.hpp>

#include <catch2/catch.hpp>

#include <filesystem>

using namespace gdsim::testing;
using nlohmann::json;

// gdsim diff as a user calls it.

namespace {

std::string scenario_of_groups(const std::string& groups, const std::string& more = {}) {
  return "scenario: S\ndevice: tiny\nkernels:\n  k: {global: " + groups +
         ", local: 8, sub_group: 8, program: [compute: 1 us]}\nlaunches: [kernel: k]\n" + more;
}

struct DiffFixture {
  TemporaryFolder folder;
  std::string a = folder.write("a.yaml", scenario_of_groups("64"));   // 8 work-groups: one wave of 1 us
  std::string b = folder.write("b.yaml", scenario_of_groups("128"));  // 16: two

  std::string path(const std::string& name) const { return (folder.path() / name).string(); }
};

}  // namespace

TEST_CASE_METHOD(DiffFixture, "diff lists what differs with both figures and the change", "[diff]") {
  const Ran ran = run_gdsim({"diff", a, b});
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Catch::Contains("  duration                              1 us           2 us  +100.0 %\n") &&
                          Catch::Contains("  work-groups                              8             16  +100.0 %\n") &&
                          Catch::Contains("launch k\n") && !Catch::Contains("outcome"));
  // Only b's launch waits: for the second wave.
  CHECK_THAT(ran.out, Catch::Contains("  waited for work_group_slots            0 s           1 us"));
  const Ran same = run_gdsim({"diff", a, a});
  CHECK_THAT(same.out, Catch::Contains("  duration                         1 us           1 us  =\n") &&
                           !Catch::Contains("launch k"));
}

TEST_CASE_METHOD(DiffFixture, "what only one side has is a row with nothing on the other, and what none has is no row",
                 "[diff]") {
  const std::string more = folder.write(
      "more.yaml",
      "scenario: S\ndevice: tiny\nkernels:\n  k: {global: 64, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
      "  other: {global: 8, local: 8, sub_group: 8, program: [compute: 3 us]}\n"
      "launches: [kernel: k, {kernel: other, after: [k]}]\n");
  const auto rows = [&](const std::string& one, const std::string& two) {
    const Ran ran = run_gdsim({"diff", one, two, "--format", "csv"});
    CHECK(ran.status == 0);
    std::vector<std::string> lines;
    for (const std::string& line : lines_of(ran.out))
      if (line.starts_with("phase 2 ") || line.starts_with("kernel other,") || line.starts_with("launch other,"))
        lines.push_back(line);
    return lines;
  };
  CHECK(rows(a, more) == std::vector<std::string>{
                             "phase 2 only in b,kind,,,constant,",
                             "phase 2 only in b,threads,count,,1,",
                             "phase 2 only in b,duration,ns,,3000.000,",
                             "kernel other,limiter,,,work-group slots (4),",
                             "launch other,duration,ns,,3000.000,",
                             "launch other,first dispatch,ns,,1000.000,",
                             "launch other,end,ns,,4000.000,",
                             "launch other,slack,ns,,0.000,",
                             "launch other,waited for predecessors,ns,,1000.000,",
                         });
  CHECK(rows(more, a) == std::vector<std::string>{
                             "phase 2 only in a,kind,,constant,,",
                             "phase 2 only in a,threads,count,1,,",
                             "phase 2 only in a,duration,ns,3000.000,,",
                             "kernel other,limiter,,work-group slots (4),,",
                             "launch other,duration,ns,3000.000,,",
                             "launch other,first dispatch,ns,1000.000,,",
                             "launch other,end,ns,4000.000,,",
                             "launch other,slack,ns,0.000,,",
                             "launch other,waited for predecessors,ns,1000.000,,",
                         });
  CHECK(rows(a, b).empty());
}

TEST_CASE_METHOD(DiffFixture, "a run that stalls has no end, which is no row of a diff where the other has none, too",
                 "[diff]") {
  const std::string stuck =
      folder.write("stuck.yaml",
                   "scenario: S\ndevice: tiny\nkernels:\n  k: {global: 64, local: 8, sub_group: 8, program: "
                   "[compute: 1 us, wait: never]}\nlaunches: [kernel: k]\n");
  const std::string both = run_gdsim({"diff", stuck, stuck, "--format", "csv"}).out;
  CHECK_THAT(both, Catch::Contains("\nlaunch k,first dispatch,ns,0.000,0.000,") && !Catch::Contains("launch k,end") &&
                       !Catch::Contains("launch k,duration"));
  const std::string one = run_gdsim({"diff", a, stuck, "--format", "csv"}).out;
  CHECK_THAT(
      one, Catch::Contains("\nlaunch k,end,ns,1000.000,,\n") && Catch::Contains("\nlaunch k,duration,ns,1000.000,,\n"));
}

TEST_CASE_METHOD(DiffFixture, "a folder of a run is the same side as the scenario that wrote it", "[diff]") {
  REQUIRE(run_gdsim({"run", a, "-o", path("out")}).status == 0);
  const auto rows = [](const Ran& ran) {
    INFO(ran.err);
    REQUIRE(ran.status == 0);
    return json::parse(ran.out)["rows"].dump();
  };
  CHECK(rows(run_gdsim({"diff", path("out"), b, "--format", "json"})) ==
        rows(run_gdsim({"diff", a, b, "--format", "json"})));
  CHECK(rows(run_gdsim({"diff", b, path("out"), "--format", "json"})) ==
        rows(run_gdsim({"diff", b, a, "--format", "json"})));
}

TEST_CASE_METHOD(DiffFixture, "two cases of one scenario are compared, or a case of each", "[diff]") {
  const std::string cases = folder.write(
      "cases.yaml", scenario_of_groups("64",
                                       "cases:\n  - {name: one, set: {kernels.k.global: 64}}\n  - {name: two, set: "
                                       "{kernels.k.global: 192}}\n"));
  CHECK_THAT(run_gdsim({"diff", cases, "--case", "one", "--case", "two"}).out,
             Catch::Contains("a: " + cases + " (one)\nb: " + cases + " (two)\n") && Catch::Contains("+200.0 %"));
  CHECK_THAT(run_gdsim({"diff", cases}).err,
             Catch::Contains("diff needs two scenarios or folders of runs, or one scenario and two cases"));
  CHECK_THAT(run_gdsim({"diff", cases, cases}).err, Catch::Contains("diff needs --case NAME"));
}

TEST_CASE_METHOD(DiffFixture, "the option --fail-if exits with 1 if b's is greater than a's by more than that",
                 "[diff]") {
  const auto status = [&](const std::string& condition, bool is_turned = false) {
    return run_gdsim({"diff", is_turned ? b : a, is_turned ? a : b, "--fail-if", condition}).status;
  };
  CHECK(status("duration > 99.9 %") == 1);
  CHECK(status("duration > 100 %") == 0);
  CHECK(status("duration_ns>5%") == 1);
  CHECK(status("duration > 5 %", true) == 0);
  CHECK(status("duration < -49 %", true) == 1);
  CHECK(status("duration < -50 %", true) == 0);
  CHECK(status("work_groups_total > 0 %") == 1);
  CHECK_THAT(
      run_gdsim({"diff", a, b, "--fail-if", "duration > 5 %"}).err,
      Catch::Contains("--fail-if 'duration > 5 %': duration_ns is 1000.0000 in a and 2000.0000 in b: 100.00 % more"));
}

TEST_CASE_METHOD(DiffFixture, "a condition holds or not for runs of any length", "[diff]") {
  const auto lasting = [&](const std::string& name, const std::string& time) {
    return folder.write(
        name, "scenario: S\ndevice: tiny\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: " +
                  time + "]}\nlaunches: [kernel: k]\n");
  };
  const std::string million = lasting("million.yaml", "1000000 s"), more = lasting("more.yaml", "9000000.000001 s");
  CHECK(run_gdsim({"diff", million, million, "--fail-if", "duration > 0 %"}).status == 0);
  CHECK(run_gdsim({"diff", million, more, "--fail-if", "duration > 800.0000001 %"}).status == 0);
  const Ran ran = run_gdsim({"diff", million, more, "--fail-if", "duration > 800 %"});
  CHECK(ran.status == 1);
  CHECK_THAT(ran.err,
             Catch::Contains("duration_ns is 1000000000000000.0000 in a and 9000000000001000.0000 in b: 800.00 "
                             "% more"));
}

TEST_CASE_METHOD(DiffFixture, "a condition that cannot be read or compared is refused with an example", "[diff]") {
  const auto refused = [&](const std::string& condition, const std::string& what) {
    const Ran ran = run_gdsim({"diff", a, b, "--fail-if", condition});
    INFO(ran.err);
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Catch::Contains(what));
  };
  refused("duration", "has no '>'; write it as in --fail-if 'duration > 5 %'");
  refused("duration > 5", "has no percentage");
  refused("duration > x %", "has a percentage that is not a number");
  refused("> 5 %", "names nothing to compare");
  refused("speed > 5 %", "has no 'speed'; known: duration, ");
  refused("mean_occupancy_percnt > 5 %", "; did you mean 'mean_occupancy_percent'?");
  refused("outcome > 5 %", "'outcome' is 'completed', no number");
  refused("duration < 5 %", "with '<', the percentage is negative");
}

TEST_CASE_METHOD(DiffFixture, "the page and the picture show both timelines on one axis", "[diff]") {
  REQUIRE(run_gdsim({"diff", a, b, "-o", path("d.html"), "-o", path("d.svg"), "-o", path("d.csv")}).status == 0);
  const std::string page = read_file(path("d.html"));
  CHECK_THAT(page, Catch::Contains("<figure id=\"a\"") && Catch::Contains("<figure id=\"b\"") &&
                       Catch::Contains("b takes 2 us, a 1 us: +100.0 %."));
  // The end of b is on the axis of a: half of it is empty.
  const std::string figure_a =
      page.substr(page.find("<figure id=\"a\""), page.find("<figure id=\"b\"") - page.find("<figure id=\"a\""));
  CHECK_THAT(figure_a, Catch::Contains(">2.0 us</span>"));
  CHECK_THAT(read_file(path("d.svg")), Catch::Contains("b takes 2 us, a 1 us: +100.0 %."));
  CHECK_THAT(read_file(path("d.csv")), Catch::StartsWith("section,name,unit,a,b,change_percent\n") &&
                                           Catch::Contains("\nrun,duration,ns,1000.000,2000.000,100.0000\n"));
}

TEST_CASE_METHOD(DiffFixture, "a condition is about folders as it is about the scenarios that wrote them", "[diff]") {
  REQUIRE(run_gdsim({"run", a, "-o", path("of_a")}).status == 0);
  REQUIRE(run_gdsim({"run", b, "-o", path("of_b")}).status == 0);
  for (const std::string& one : {a, path("of_a")})
    for (const std::string& other : {b, path("of_b")}) {
      INFO(one + " " + other);
      CHECK(run_gdsim({"diff", one, other, "--fail-if", "duration > 99.9 %"}).status == 1);
      CHECK(run_gdsim({"diff", one, other, "--fail-if", "duration > 100 %"}).status == 0);
      CHECK(run_gdsim({"diff", other, one, "--fail-if", "duration < -49.9 %"}).status == 1);
    }
}

TEST_CASE_METHOD(DiffFixture, "a diff has the critical path of each side, of twenty launches at most", "[diff]") {
  const auto chain = [&](const std::string& name, int launches) {
    std::string text =
        "scenario: S\ndevice: tiny\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
        "launches:\n";
    for (int i = 0; i < launches; ++i)
      text += "  - {kernel: k, name: n" + std::to_string(i) +
              (i > 0 ? ", after: [n" + std::to_string(i - 1) + "]}\n" : "}\n");
    return folder.write(name, text);
  };
  const auto words = [](int launches) {
    std::string text;
    for (int i = 0; i < launches; ++i) text += (i > 0 ? " -> n" : "n") + std::to_string(i);
    return text;
  };
  const auto paths = [&](int one, int other) {
    const std::string csv =
        run_gdsim({"diff", chain("one.yaml", one), chain("other.yaml", other), "--format", "csv"}).out;
    const std::string key = "\nrun,critical path,,";
    REQUIRE(csv.find(key) != std::string::npos);
    const std::size_t begin = csv.find(key) + key.size();
    return csv.substr(begin, csv.find('\n', begin) - begin);
  };
  CHECK(paths(1, 2) == "n0,n0 -> n1,");
  CHECK(paths(20, 21) == words(20) + "," + words(20) + " -> ...,");
}

TEST_CASE_METHOD(DiffFixture,
                 "a folder whose run came to a bound is compared as it is, one that was interrupted says so",
                 "[diff]") {
  REQUIRE(run_gdsim({"run", b, "--max-time", "1500 ns", "-o", path("bounded")}).status == 0);
  const Ran bounded = run_gdsim({"diff", path("bounded"), path("bounded")});
  CHECK(bounded.status == 0);
  CHECK_THAT(bounded.err, Catch::Contains(path("bounded") + " came to its bound at 1.5 us of simulated time"));
  // As the folder of a run that Ctrl-C ended.
  std::filesystem::copy(path("bounded"), path("interrupted"));
  std::string summary = read_file(path("interrupted/summary.json"));
  const std::string outcome = "\"outcome\": \"bounded\"";
  REQUIRE(summary.find(outcome) != std::string::npos);
  summary.replace(summary.find(outcome), outcome.size(), "\"outcome\": \"interrupted\"");
  folder.write("interrupted/summary.json", summary);
  const Ran interrupted = run_gdsim({"diff", path("bounded"), path("interrupted")});
  CHECK(interrupted.status == 0);
  CHECK_THAT(interrupted.err, Catch::Contains(path("interrupted") + " is of a run that was interrupted at 1.5 us of "
                                                                    "simulated time; it is run again up to there"));
}
