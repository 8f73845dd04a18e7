#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

using namespace gdsim::testing;

namespace {

std::vector<std::string> shipped_scenarios() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_path("scenarios")))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

/// Returns its folder below `scenarios`.
std::string folder_of(const std::string& file) {
  return std::filesystem::path(file).parent_path().lexically_relative(source_path("scenarios")).string();
}

/// Checks the shipped scenarios in these folders.
void check_shipped(const std::vector<std::string>& folders) {
  std::vector<std::string> words{"check"};
  for (const std::string& file : shipped_scenarios())
    if (std::find(folders.begin(), folders.end(), folder_of(file)) != folders.end()) words.push_back(file);
  REQUIRE(words.size() > 5);
  const Ran ran = run_gdsim(words);
  INFO(ran.out);
  CHECK(ran.status == 0);
  CHECK(ran.err.empty());
  CHECK_THAT(ran.out, Catch::Contains(" 0 missed"));
}

}  // namespace

TEST_CASE("every scenario of the folder scenarios, its calibration, course and tutorial holds what it expects",
          "[figures]") {
  check_shipped({".", "calibration", "course", "tutorial"});
}

TEST_CASE("every scenario of documents holds what it expects", "[figures]") { check_shipped({"documents"}); }

TEST_CASE("every study holds what it expects", "[figures]") { check_shipped({"studies"}); }

TEST_CASE("every imported scenario holds what it expects", "[figures]") { check_shipped({"compiled", "profiles"}); }

TEST_CASE("no folder of scenarios is left out of the checks") {
  std::set<std::string> folders;
  for (const std::string& file : shipped_scenarios()) folders.insert(folder_of(file));
  CHECK(folders == std::set<std::string>{".", "calibration", "compiled", "course", "documents", "profiles", "studies",
                                         "tutorial"});
}
TEST_CASE("every shipped scenario opens with what it shows and its source") {
  for (const std::string& file : shipped_scenarios()) {
    const std::string text = read_file(file);
    INFO(file);
    CHECK(text.starts_with("# yaml-language-server: $schema="));
    CHECK_THAT(text.substr(0, text.find("scenario:")), Catch::Contains("\n# Source: "));
  }
}

TEST_CASE("a known gap is shown with what was found, and counted for itself") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "gap.yaml",
      "scenario: Gap\ndevice: tiny\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 "
      "us]}\nlaunches: [kernel: k]\nexpect:\n  - outcome: completed\n  - duration: 2 us\n    within: 1 "
      "%\n    status: known_gap\n");
  const Ran ran = run_gdsim({"check", file});
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Catch::Contains("  ok    outcome: completed\n"));
  CHECK_THAT(ran.out, Catch::Contains("  gap   duration: (known gap: must not hold) 2 us; found 1 us\n"));
  CHECK_THAT(ran.out, Catch::Contains("2 expectations in 1 file: 1 ok, 1 known gap, 0 missed"));
  CHECK_THAT(run_gdsim({"check", file, "--format", "json"}).out, Catch::Contains("\"known_gaps\": 1"));
}

TEST_CASE("check runs the case that --case names, with the values that --set gives") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "cases.yaml",
      "scenario: Cases\ndevice: tiny\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
      "launches: [kernel: k]\ncases:\n  - {name: right, expect: [duration: 1 us]}\n"
      "  - {name: wrong, expect: [duration: 2 us]}\n");
  CHECK(run_gdsim({"check", file}).status == 1);
  CHECK(run_gdsim({"check", file, "--case", "right"}).status == 0);
  CHECK(run_gdsim({"check", file, "--case", "wrong", "--set", "kernels.k.program.0.compute=2 us"}).status == 0);
  const Ran unknown = run_gdsim({"check", file, "--case", "none"});
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.err, Catch::Contains("there is no case 'none'; known: right, wrong"));
}

TEST_CASE("one broken number makes exactly that line fail, with all there is to know") {
  const TemporaryFolder folder;
  const std::string file = folder.write("broken.yaml", replaced(read_file(source_path("scenarios/vector_add4.yaml")),
                                                                "[304, 264, 80]", "[304, 264, 81]"));
  const Ran ran = run_gdsim({"check", file});
  CHECK(ran.status == 1);
  CHECK_THAT(ran.out, Catch::Contains("MISS  " + file +
                                      ":32:5: phase_threads: expected [304, 264, 81], found "
                                      "[304, 264, 80]; tolerance: exact; source: the same: 304 threads"));
  CHECK_THAT(ran.out, Catch::Contains("5 expectations in 1 file: 4 ok, 1 missed"));
}

TEST_CASE("what holds of hundreds of launches takes a few lines, and what does not is named in full") {
  std::string text =
      "scenario: many\ndevice: tiny\nkernels: {k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}}\n"
      "queues: {q: {order: in_order}}\nlaunches: [{kernel: k, queue: q, count: 100}]\nexpect:\n  - launches:\n"
      "      k: {duration: 1 us}\n";
  for (int i = 2; i <= 100; ++i) text += fmt::format("      k#{}: {{duration: {} us}}\n", i, i == 77 ? "XX" : "1");
  text += "    within: 1 %\n";
  const TemporaryFolder folder;
  const Ran holds = run_gdsim({"check", folder.write("many.yaml", replaced(text, "XX", "1"))});
  CHECK(holds.status == 0);
  CHECK(holds.out.size() < 700);
  CHECK_THAT(holds.out, Catch::Contains("k duration 1 us") && Catch::Contains("`--format json` has all of it"));
  const Ran misses = run_gdsim({"check", folder.write("many.yaml", replaced(text, "XX", "2"))});
  CHECK(misses.status == 1);
  CHECK_THAT(misses.out, Catch::Contains("k#77 duration 2 us") && Catch::Contains("k#100 duration 1 us"));
}

TEST_CASE("over many files the gravest status wins, and every file is checked") {
  const TemporaryFolder folder;
  const std::string good = folder.write("good.yaml", plain_scenario("expect: [{outcome: completed}]\n"));
  const std::string missed = folder.write("missed.yaml", plain_scenario("expect: [{duration: 2 us}]\n"));
  const std::string bad = folder.write("bad.yaml", "scenario: x\n");
  CHECK(run_gdsim({"check", good}).status == 0);
  CHECK(run_gdsim({"check", good, missed}).status == 1);
  const Ran ran = run_gdsim({"check", bad, missed, good});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.out, Catch::Contains("1 ok, 1 missed; 1 file could not be checked"));
  CHECK_THAT(ran.err, Catch::Contains("bad.yaml:1:1: error: scenario: the key 'device' is missing"));
}

TEST_CASE("the help of check names the statuses in the order in which one outweighs another") {
  const std::string help = std::regex_replace(run_gdsim({"check", "--help"}).out, std::regex("\\s+"), " ");
  CHECK_THAT(help, Catch::Contains("the gravest of 70 > 130 > 2 > 3 > 1."));
}

TEST_CASE("an expected refusal is a success of check and still bad input of run") {
  const std::string file = source_path("scenarios/slm_too_large.yaml");
  CHECK(run_gdsim({"check", file}).status == 0);
  const Ran ran = run_gdsim({"run", file});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("656384 B of SLM") && Catch::Contains("at most 131072 B (128 KiB)"));
}

TEST_CASE("the report as JSON can be parsed and says the same") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "both.yaml", plain_scenario("expect:\n  - outcome: completed\n  - {duration: 2 us, source: \"a <b>\"}\n"));
  const auto report = nlohmann::json::parse(run_gdsim({"check", file, "--format", "json"}).out);
  CHECK(report["schema_version"] == 1);
  CHECK(report["passed"] == 1);
  CHECK(report["missed"] == 1);
  const auto& items = report["files"][0]["cases"][0]["expectations"];
  REQUIRE(items.size() == 2);
  CHECK(items[0]["passed"] == true);
  CHECK(items[1]["expected"] == "2 us");
  CHECK(items[1]["found"] == "1 us");
  CHECK(items[1]["source"] == "a <b>");
  CHECK(items[1]["place"] == file + ":9:6");
}

TEST_CASE("the report as JUnit counts tests and failures and escapes what it quotes") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("junit & co.yaml", plain_scenario("expect:\n  - outcome: completed\n  - duration: 2 us\n"));
  const std::string out = run_gdsim({"check", file, "--format", "junit"}).out;
  CHECK_THAT(out, Catch::Contains("junit &amp; co.yaml\" tests=\"2\" failures=\"1\" errors=\"0\""));
  CHECK_THAT(out, Catch::Contains("<failure message="));
}
