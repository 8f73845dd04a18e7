#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace gdsim::testing;
using Catch::Contains;

namespace {

/// One kernel whose threads compute, load and issue, with this sub-group size and program.
std::string scenario_of(const std::string& sub_group, const std::string& program) {
  return "scenario: S\ndevice: max-1550-stack\nparameters: {lanes: 16}\nkernels:\n  k: {global: 458752, local: 64, "
         "sub_group: " +
         sub_group + ", program: " + program + "}\nlaunches: [kernel: k]\n";
}

const char* const kTriad = "[compute: 1 us, memory: 192 B, issue: {fp32: 8}, store: 64 B]";

double duration_of(const std::string& file, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"run", file, "--print", "summary"};
  words.insert(words.end(), more.begin(), more.end());
  const Ran ran = run_gdsim(words);
  REQUIRE(ran.err.empty());
  return nlohmann::json::parse(ran.out)["duration_ns"].get<double>();
}

/// The duration of the point with sub-groups of 32.
double swept_duration(const std::string& file) {
  const Ran ran = run_gdsim({"sweep", file, "--vary", "sub_group=16,32", "--format", "json"});
  const nlohmann::json points = nlohmann::json::parse(ran.out)["points"];
  REQUIRE(points.size() == 2);
  REQUIRE(points[1]["values"]["sub_group"] == "32");
  return points[1]["duration_ns"].get<double>();
}

}  // namespace

TEST_CASE("another sub-group size keeps the kernel's work, with --set, in a sweep and in explain alike") {
  const TemporaryFolder folder;
  const std::string file = folder.write("s.yaml", scenario_of("16", kTriad));
  // A thread of 32 computes, loads and stores for twice as many work-items, and issues the same instructions.
  const std::string by_hand =
      folder.write("by_hand.yaml", scenario_of("32", "[compute: 2 us, memory: 384 B, issue: {fp32: 8}, store: 128 B]"));
  const double expected = duration_of(by_hand);
  CHECK(duration_of(file, {"--set", "sub_group=32"}) == expected);
  CHECK(duration_of(file, {"--set", "sub_group=32", "--set", "kernels.k.program_sub_group=32"}) != expected);
  CHECK(swept_duration(file) == expected);

  const nlohmann::json explained = nlohmann::json::parse(run_gdsim({"explain", file, "--format", "json"}).out);
  const auto& findings = explained["findings"];
  const auto wide = std::find_if(findings.begin(), findings.end(),
                                 [](const nlohmann::json& one) { return one["what"] == "sub_group:32"; });
  REQUIRE(wide != findings.end());
  CHECK((*wide)["duration_ns"].get<double>() == expected);
}

TEST_CASE("what is counted by work-item, or follows from the sub-group size, is not scaled once more") {
  const TemporaryFolder folder;
  const std::string program = "[memory: {elements: 3, element: 4 B}, issue: {fp32: 400}]";
  const std::string file = folder.write("s.yaml", scenario_of("16", program));
  const std::string by_hand = folder.write("by_hand.yaml", scenario_of("32", program));
  CHECK(duration_of(file, {"--set", "sub_group=32"}) == duration_of(by_hand));
  // That is equal work, so that points have ranks.
  CHECK_THAT(run_gdsim({"sweep", file, "--vary", "sub_group=16,32"}).out, Contains("rank 1 has"));
}

TEST_CASE("a case of a file says what its threads do, and nothing is scaled") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("cases.yaml", scenario_of("16", kTriad) + "cases: [{name: wide, set: {kernels.k.sub_group: 32}}]\n");
  const std::string wide = folder.write("wide.yaml", scenario_of("32", kTriad));
  CHECK(duration_of(file) == duration_of(wide));
}

TEST_CASE("a run says for which sub-group size its program was written") {
  const TemporaryFolder folder;
  const std::string file = folder.write("s.yaml", scenario_of("16", kTriad));
  CHECK_THAT(run_gdsim({"run", file, "--set", "sub_group=32"}).out,
             Contains("The program of k was written for threads of 16 work-items. With 32 work-items, a thread does 2 "
                      "times as much, and the kernel's total work stays the same."));
  const std::string only = folder.write("only.yaml", scenario_of("16", "[only: {threads: 1, body: [compute: 1 us]}]"));
  CHECK_THAT(
      run_gdsim({"run", only, "--set", "sub_group=32"}).out,
      Contains("Steps with `only` or `tiles` are not scaled to 32 work-items, so the kernel's total work changes."));
}

TEST_CASE("durations of unequal work have no rank and no speed-up") {
  const TemporaryFolder folder;
  const std::string file = folder.write("s.yaml", scenario_of("= lanes", kTriad));
  const std::string store = (folder.path() / "s.sqlite").string();
  const Ran ran = run_gdsim({"sweep", file, "--vary", "lanes=16,32", "--shard", "1/1", "-o", store});
  REQUIRE(ran.status == 0);
  for (const Ran& one : {run_gdsim({"sweep", file, "--vary", "lanes=16,32"}), run_gdsim({"sweep", "--merge", store})}) {
    CHECK_THAT(one.out, Contains("No point is the best: not all of them do the same work.") &&
                            Contains("Durations are not ranked, because k does more work at some points: a thread has "
                                     "more work-items there, or fewer, but its steps stay the same.") &&
                            !Contains("rank 1"));
    CHECK_THAT(one.out, Contains("   16     - ") && Contains("   32     - "));
  }
  CHECK_THAT(run_gdsim({"sweep", file, "--vary", "lanes=16,32", "--metric", "mean_occupancy"}).out, Contains("rank 1"));
}
