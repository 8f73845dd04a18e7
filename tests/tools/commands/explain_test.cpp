#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <catch2/catch.hpp>

using namespace gdsim::testing;
using nlohmann::json;

// gdsim explain as a user calls it, and the finding with which gdsim run ends.

namespace {

/// Waves are exact: the launch costs nothing, and a slot can be reused at once.
std::string tail_scenario() {
  return "scenario: Tail\ndevice: {base: h100-sxm, launch_cost: 0 cycles, dispatch: {recovery: 0 cycles, interval: "
         "{per_work_group: 0 s, per_thread: 0 s}}}\nkernels:\n"
         "  k: {global: 270848, local: 512, sub_group: 32, program: [compute: 10 us]}\nlaunches: [kernel: k]\n";
}

}  // namespace

TEST_CASE("explain prints the greatest savings as sentences, then a table", "[explain]") {
  const TemporaryFolder folder;
  const Ran ran = run_gdsim({"explain", folder.write("tail.yaml", tail_scenario())});
  CHECK(ran.status == 0);
  CHECK_THAT(
      ran.out,
      Catch::StartsWith(
          "Tail\non NVIDIA H100 SXM: 20 us\nThe scenario declares the durations of compute steps: the run predicts the "
          "shape of occupancy, not wall time.\nUnused: of the warp slots that the kernel can fill, 49.9 % are empty on "
          "average, and 99.8 % after its last block has begun.\n\nWhat you can change\nTail: 1 of 529 blocks of k is "
          "left over") &&
          Catch::Contains("no_tail                           10.019 us    49.9 %"));
}

TEST_CASE("an explanation as JSON has the baseline and its findings, the greatest saving first", "[explain]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("tail.yaml", tail_scenario());
  const Ran ran = run_gdsim({"explain", file, "--format", "json", "-o", (folder.path() / "e.json").string(), "-o",
                             (folder.path() / "e.html").string(), "-o", (folder.path() / "e.svg").string(), "-o",
                             (folder.path() / "e.csv").string()});
  REQUIRE(ran.status == 0);
  const json explanation = json::parse(ran.out);
  CHECK(explanation["baseline_ns"] == 20000.0);
  CHECK(explanation["findings"][0]["what"] == "no_tail");
  CHECK(explanation["findings"][0]["duration_ns"] == 10018.939);
  CHECK(explanation["findings"][0]["saves_percent"] == 49.9053);
  CHECK(read_file(folder.path() / "e.json") == ran.out);
  CHECK_THAT(read_file(folder.path() / "e.csv"),
             Catch::StartsWith("what,duration_ns,saves_percent,sentence,declared,list,may_be_chance,artefact\n"
                               "no_tail,10018.939,49.9053,"));
  for (const char* name : {"e.html", "e.svg"})
    CHECK_THAT(read_file(folder.path() / name),
               Catch::Contains("aria-label=\"no_tail: 10.019 us (-49.9 %). Tail: 1 of 529"));
  for (const char* jobs : {"1", "3"})
    CHECK(run_gdsim({"explain", file, "--format", "json", "--jobs", jobs}).out == ran.out);
}

TEST_CASE("six shipped scenarios are explained, and no change of one thing is left out in silence",
          "[explain][figures]") {
  for (const char* name :
       {"vector_add4", "queues", "copy_overlap", "child_kernels", "slm_convolution", "calibration/vector_add2_tgl"}) {
    INFO(name);
    std::vector<std::string> words{"explain", source_path("scenarios/" + std::string(name) + ".yaml"), "--format",
                                   "json"};
    Ran ran = run_gdsim(words);
    if (ran.err.find("--case NAME") != std::string::npos) {
      const std::string list = ran.err.substr(ran.err.find("cases: ") + 7);
      words.insert(words.end(), {"--case", list.substr(0, list.find_first_of(",\n"))});
      ran = run_gdsim(words);
    }
    INFO(ran.err);
    REQUIRE(ran.status == 0);
    CHECK(json::parse(ran.out)["not_possible"].empty());
  }
}

TEST_CASE("a run that stalls, or is no scenario of its own, is not explained", "[explain]") {
  const TemporaryFolder folder;
  const std::string stalls = folder.write(
      "d.yaml",
      "scenario: D\ndevice: tiny\nkernels:\n  k:\n    global: 8\n    local: 8\n    sub_group: 1\n"
      "    program:\n      - only: {threads: 4, body: [wait: s]}\n      - only: {threads: 5, body: [signal: s]}\n      "
      "- only: {threads: 4, body: [wait: s]}\n      - compute: 1 us\nlaunches: [kernel: k]\n");
  const Ran ran = run_gdsim({"explain", stalls});
  CHECK(ran.status == 3);
  CHECK_THAT(ran.err, Catch::Contains("D deadlocked"));
  CHECK(ran.out.empty());
  CHECK_THAT(run_gdsim({"explain", stalls, "-o", "x.sqlite"}).err, Catch::Contains("known: .csv, .json, .html, .svg"));
  CHECK_THAT(run_gdsim({"explain", source_path("scenarios/vector_add2.yaml")}).err,
             Catch::Contains("explain needs --case NAME"));
}

TEST_CASE("a run whose plateau lies far below what fits says so, and what its contexts wait for", "[explain]") {
  const TemporaryFolder folder;
  const auto scenario = [&](const std::string& local) {
    return folder.write("p.yaml", "scenario: P\ndevice: xe-lp-tgl\nkernels:\n  k: {global: 86016, local: " + local +
                                      ", sub_group: 8, program: [compute: 10 us]}\nlaunches: [kernel: k]\n");
  };
  // 32 threads on Xe-cores of 112: two ports let the parts of work-groups through one after the other.
  CHECK_THAT(run_gdsim({"run", scenario("256"), "--no-alternatives"}).out,
             Catch::Contains(
                 "Dispatch: 336 threads are resident on average where 576 fit. While thread contexts are free, ") &&
                 Catch::Contains("work-groups wait mostly for dispatch ports"));
  CHECK(run_gdsim({"run", scenario("128"), "--no-alternatives"}).out.find("Dispatch: ") == std::string::npos);
}

TEST_CASE("of launches that follow each other or share the device, a low plateau is said as well", "[explain]") {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& launches, const std::string& local = "256") {
    return run_gdsim({"run",
                      folder.write("p.yaml",
                                   "scenario: P\ndevice: {base: xe-lp-tgl, hardware_queues: {starts: "
                                   "any_order}}\nqueues: {q: {order: in_order}}\nkernels:\n"
                                   "  k: {global: 86016, local: " +
                                       local +
                                       ", sub_group: 8, program: [compute: 10 us]}\n"
                                       "  full: {global: 86016, local: 128, sub_group: 8, program: [compute: "
                                       "1 us]}\nlaunches:\n" +
                                       launches),
                      "--no-alternatives"})
        .out;
  };
  const std::string in_turn =
      run("  - {kernel: full, queue: q}\n  - {kernel: k, queue: q}\n  - {kernel: k, queue: q}\n");
  CHECK_THAT(
      in_turn,
      Catch::Contains(
          "Dispatch: 336 threads of k are resident on average where 576 fit. While thread contexts are free, ") &&
          Catch::Contains("work-groups wait mostly for dispatch ports"));
  CHECK_THAT(run("  - kernel: k\n  - kernel: k\n"),
             Catch::Contains("threads of all launches are resident on average where at least 576 of one kernel alone "
                             "fit. While thread contexts are free, ") &&
                 Catch::Contains("work-groups wait mostly for dispatch ports"));
  CHECK(run("  - {kernel: k, queue: q}\n  - {kernel: k, queue: q}\n", "128").find("Dispatch: ") == std::string::npos);
  CHECK(run("  - kernel: k\n  - kernel: k\n", "128").find("Dispatch: ") == std::string::npos);
  // What would fit on some of the cores is not what is compared.
  CHECK(run("  - {kernel: k, cores: 0-2}\n").find("Dispatch: ") == std::string::npos);
}

TEST_CASE("run ends with the first finding: the tail, the limiter, or the largest wait", "[explain]") {
  const TemporaryFolder folder;
  const auto last_lines = [&](const std::string& scenario) {
    std::string text = run_gdsim({"run", folder.write("s.yaml", scenario)}).out;
    return text.substr(text.rfind('\n', text.rfind("\n`gdsim explain`") - 1) + 1);
  };
  CHECK(last_lines(tail_scenario()) ==
        "Tail: 1 of 529 blocks of k is left over for the last of 2 waves. The warp slots that are empty at the end "
        "cost 49.9 % of the run's capacity. On average, 66.5 of 132 SMs hold a block.\n`gdsim explain` tries what "
        "would help.\n");
  CHECK(last_lines(
            "scenario: L\ndevice: a100-80gb\nkernels:\n  k: {global: 663552, local: 256, sub_group: 32, registers: 72, "
            "program: [compute: 10 us]}\nlaunches: [kernel: k]\n") ==
        "Limiter: registers let 3 blocks of k fit on one SM: 24 of 64 warp slots, 37.5 %.\n`gdsim explain` tries what "
        "would help.\n");
  CHECK_THAT(
      run_gdsim({"run", kVectorAdd4}).out,
      Catch::Contains("\nRests on: dispatch.placement is fill_first in the model, but ") &&
          Catch::Contains(
              "\nAssumption: the result depends on dispatch.placement. The model's value, fill_first, is not certain: "
              "with round_robin the run takes 50.0 % less time. Check this value before you act on the result.\n"));
  const json summary = json::parse(run_gdsim({"run", kVectorAdd4, "--print", "summary"}).out);
  CHECK(summary["finding"]["kind"] == "assumption");
  CHECK(summary["rests_on"][0]["alternatives"][0]["duration_ns"] == 10e6);
  const json as_assumed = json::parse(run_gdsim({"run", kVectorAdd4, "--print", "summary", "--no-alternatives"}).out);
  CHECK(as_assumed["finding"]["kind"] == "imbalance");
  CHECK_FALSE(as_assumed.contains("rests_on"));
}

namespace {

/// Causal attention, one block per SM: 64 tiles of a head, of which the n-th has n times as much to do.
std::string causal_attention(const TemporaryFolder& folder, const std::string& order) {
  std::string factors = "work_group,factor\n";
  for (int group = 0; group < 1024; ++group)
    factors +=
        std::to_string(group) + "," + std::to_string(order == "natural" ? group % 64 + 1 : 64 - group / 16) + "\n";
  folder.write(order + ".csv", factors);
  return folder.write(
      order + ".yaml",
      "scenario: Causal attention\ndevice: {base: a100-80gb, launch_cost: 0 cycles, dispatch: {recovery: 0 "
      "cycles}}\nkernels:\n  attention: {global: 131072, local: 128, sub_group: 32, slm: 100 KiB, program: "
      "[compute: 1 us], variation: {work_groups: " +
          order + ".csv}}\nlaunches: [kernel: attention]\n");
}

json finding_of(const json& explanation, const std::string& what) {
  for (const json& one : explanation["findings"])
    if (one["what"] == what) return one;
  return {};
}

}  // namespace

TEST_CASE("what stays unused comes from the timeline: blocks in another order leave more or less of it", "[explain]") {
  // 33,280 us of work on 108 SMs: 308.15 us if nothing were unused.
  const TemporaryFolder folder;
  const auto summary = [&](const std::string& order) {
    return json::parse(run_gdsim({"run", causal_attention(folder, order), "--print", "summary"}).out);
  };
  const json natural = summary("natural");
  const json longest = summary("longest");
  const auto unused = [](const json& run) { return 100 * (1 - 33'280'000.0 / 108 / run["duration_ns"].get<double>()); };
  CHECK(natural["unused_percent"].get<double>() == Approx(unused(natural)).margin(0.001));
  CHECK(longest["unused_percent"].get<double>() == Approx(unused(longest)).margin(0.001));
  CHECK(natural["unused_percent"] > 11.0);
  CHECK(longest["unused_percent"] < 1.0);
  CHECK(natural["unused_last_wave_percent"] > natural["unused_percent"]);
  CHECK_THAT(run_gdsim({"run", (folder.path() / "natural.yaml").string()}).out,
             Catch::Contains("\nImbalance: some blocks of attention take longer than others. "));
  CHECK_THAT(
      run_gdsim({"run", (folder.path() / "longest.yaml").string()}).out,
      Catch::Contains("\nUnused: of the warp slots that the kernel can fill, 0.") && !Catch::Contains("Imbalance: "));
}

TEST_CASE("explain finds the order of blocks, and says which savings only declared durations make possible",
          "[explain]") {
  const TemporaryFolder folder;
  const auto explained = [&](const std::string& order) {
    return json::parse(run_gdsim({"explain", causal_attention(folder, order), "--format", "json"}).out);
  };
  const json natural = explained("natural");
  const json longest = explained("longest");
  const json order = finding_of(natural, "longest_first");
  CHECK(order["duration_ns"] == longest["baseline_ns"]);
  CHECK(order["saves_percent"] > 10.0);
  CHECK(order["declared"] == false);
  CHECK(finding_of(longest, "longest_first").is_null());
  const json memory = finding_of(natural, "slm_allocation_zero");
  CHECK(memory["saves_percent"] > 40.0);
  CHECK(memory["declared"] == true);
  CHECK_THAT(memory["sentence"].get<std::string>(),
             Catch::Contains("On hardware the saving may be smaller: declared durations do not grow"));
  CHECK(natural["unused_percent"] > 11.0);
  CHECK_THAT(natural["notes"][0].get<std::string>(),
             Catch::StartsWith("The scenario declares the durations of compute steps"));
}

TEST_CASE("explain answers why cores are empty: whole work-groups, placements and sizes", "[explain]") {
  const json add3 =
      json::parse(run_gdsim({"explain", source_path("scenarios/vector_add3.yaml"), "--format", "json"}).out);
  CHECK(finding_of(add3, "whole_work_groups")["saves_percent"] == 50.0);
  CHECK(finding_of(add3, "placement:round_robin")["saves_percent"] == 50.0);
  CHECK(finding_of(add3, "local:128")["saves_percent"] == 50.0);
  CHECK(finding_of(add3, "whole_work_groups")["declared"] == true);
}

namespace {

/// 24 threads of a work-group on Xe-cores of 112 contexts, many times as many as fit.
std::string thousand_work_groups(const TemporaryFolder& folder, const std::string& program) {
  return folder.write("thousand.yaml",
                      "scenario: A thousand\ndevice: xe-lp-tgl\nkernels:\n  k: {global: 393216, local: 384, "
                      "sub_group: 16, program: " +
                          program + "}\nlaunches: [kernel: k]\n");
}

}  // namespace

TEST_CASE("a plateau of rules that no measurement covers says so, with what whole work-groups give", "[explain]") {
  const TemporaryFolder folder;
  const std::string said =
      "Placement of work-groups in part (2 ports, each held by one until its last thread is placed; with a barrier or "
      "SLM it is handed to its Xe-core) is a hypothesis of the model (its source: `gdsim devices xe-lp-tgl`); "
      "no measurement covers this case. With whole work-groups the run takes 430 us "
      "at a mean occupancy of 85.0 %, instead of 820 us at 44.6 %. `gdsim occupancy` counts whole work-groups: 85.7 %.";
  const std::string file = thousand_work_groups(folder, "[compute: 10 us]");
  CHECK_THAT(run_gdsim({"run", file}).out, Catch::Contains("\n" + said + "\n"));
  CHECK(json::parse(run_gdsim({"run", file, "--print", "summary"}).out)["notes"][1] == said);
  const json explanation = json::parse(run_gdsim({"explain", file, "--format", "json"}).out);
  CHECK(explanation["notes"][1] == said);
  CHECK(finding_of(explanation, "whole_work_groups")["duration_ns"] == 430000.0);
  CHECK(finding_of(explanation, "ports_unlimited")["saves_percent"] > 50.0);
  const std::string page = (folder.path() / "page.html").string();
  REQUIRE(run_gdsim({"report", file, "-o", page}).status == 0);
  CHECK_THAT(read_file(page), Catch::Contains("is a hypothesis of the model"));
  CHECK_THAT(
      run_gdsim({"sweep", file, "--vary", "local=192,384"}).out,
      Catch::Contains("is a hypothesis of the model (its source: `gdsim devices xe-lp-tgl`); no measurement covers"));
  // A rule of the scenario's own is not the model's, and one that changes nothing is not worth a line.
  CHECK_THAT(run_gdsim({"run", file, "--set", "dispatch.ports=1"}).out, Catch::Contains("is the scenario's own rule"));
  for (const char* set : {"dispatch.admission=whole", "kernels.k.local=256", "kernels.k.global=2304"})
    CHECK_THAT(run_gdsim({"run", file, "--set", set}).out, !Catch::Contains("Placement of work-groups in part"));
}

TEST_CASE("a barrier whose removal only releases no ports is not said to cost anything", "[explain]") {
  const TemporaryFolder folder;
  const std::string file = thousand_work_groups(folder, "[barrier, compute: 10 us]");
  const json barriers = finding_of(json::parse(run_gdsim({"explain", file, "--format", "json"}).out), "barriers_free");
  CHECK(barriers["saves_percent"] < -50.0);
  CHECK_THAT(barriers["artefact"].get<std::string>(), Catch::StartsWith("This loss is an artefact of the port rule"));
  CHECK_THAT(run_gdsim({"explain", file}).out,
             Catch::Contains("\nbarriers_free: This loss is an artefact of the port rule"));
}
