#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace gdsim::testing;

// A kernel whose threads cannot all continue: exit status 3, its files are written, and the report lists the waits.

namespace {

std::string scenario(const std::string& program) {
  return "scenario: Stuck\ndevice: tiny\nkernels:\n  k:\n    global: 64\n    local: 32\n    sub_group: 8\n    "
         "program:\n" +
         program + "launches: [kernel: k]\n";
}

const std::string kCrossed =
    "      - compute: 1 us\n"
    "      - only: {threads: 0, body: [wait: b, signal: a]}\n"
    "      - only: {threads: 1-3, body: [wait: a, signal: b]}\n";

}  // namespace

TEST_CASE("a stalled run exits with 3, writes its files, and names steps and the cycle") {
  const TemporaryFolder folder;
  const std::string file = folder.write("stuck.yaml", scenario(kCrossed));
  const Ran ran = run_gdsim({"run", file});
  CHECK(ran.status == 3);
  CHECK_THAT(ran.out, Catch::Contains("stalled after 1 us") &&
                          Catch::Contains("wait for 'b' in step 3 (" + file + ":10)") &&
                          Catch::Contains("it needs 3 of them") && Catch::Contains("should arrive wait at 'a'") &&
                          Catch::Contains("in a cycle: 'b' -> 'a' -> 'b'"));
  CHECK_THAT(ran.err, Catch::Contains("Stuck deadlocked"));
  const auto out = folder.path() / "out";
  CHECK(run_gdsim({"run", file, "-o", out.string()}).status == 3);
  const auto summary = nlohmann::json::parse(read_file(out / "summary.json"));
  CHECK(summary["outcome"] == "stalled");
  CHECK(summary["stall"]["work_groups"].size() == 4);
  CHECK(summary["stall"]["circle"].size() == 2);
  CHECK_THAT(read_file(out / "work_groups.csv"), Catch::Contains("k,k,0,0,4,4,0.000,0.000,\n"));
}

TEST_CASE("work-groups that wait for the same, or each for its own flag, are named together") {
  const TemporaryFolder folder;
  const auto text_of = [&](const std::string& program) {
    return run_gdsim({"run", folder.write("many.yaml",
                                          "scenario: Many\ndevice: tiny\nkernels:\n  k: {global: 64, "
                                          "local: 8, sub_group: 8, program: [" +
                                              program + "]}\nlaunches: [kernel: k]\n")})
        .out;
  };
  CHECK_THAT(text_of("compute: 1 us, wait: never"),
             Catch::Contains("  work-groups 0 to 7 of k on cores 0 and 1: of each, 1 of 1 threads wait for 'never' in "
                             "step 2 (") &&
                 Catch::Contains("    no thread ever signals 'never'\n"));
  const std::string flags = text_of(
      "compute: 1 us, wait: {name: f, scope: launch, index: \"= mod(group + 1, 8)\"}, signal: {name: f, scope: "
      "launch, index: = group}");
  CHECK_THAT(flags,
             Catch::Contains("  work-groups 0 to 7 of k on cores 0 and 1: of each, 1 of 1 threads wait for flags "
                             "0 to 7 of 'f' in step 2 (") &&
                 Catch::Contains("    1 work-group signals it\n"));
  CHECK_THAT(text_of("compute: 1 us, loop: {count: \"= 1 - mod(group, 2)\", body: [wait: never]}, compute: 1 us"),
             Catch::Contains("  work-groups 0, 2, 4, 6 of k on cores 0 and 1: of each"));
}

TEST_CASE("of a launch that does not fit beside what is stuck, the report names what is short and what holds it") {
  const TemporaryFolder folder;
  const std::string file = folder.write("full.yaml",
                                        "scenario: Full\ndevice: tiny\ndispatch: {admission: whole}\nkernels:\n"
                                        "  stuck: {global: 64, local: 16, sub_group: 8, slm: 4 KiB, program: "
                                        "[compute: 1 us, wait: never]}\n"
                                        "  big: {global: 16, local: 8, sub_group: 8, slm: 3 KiB, program: "
                                        "[compute: 1 us]}\n"
                                        "launches: [kernel: stuck, kernel: big]\n");
  CHECK_THAT(run_gdsim({"run", file}).out,
             Catch::Contains("  launch big: 2 work-groups are not placed\n    core 0 has 0 B of SLM free, the next "
                             "work-group needs 4096: held by work-groups 0, 1 of stuck; the same on 2 cores\n"));
  const auto summary = nlohmann::json::parse(run_gdsim({"run", file, "--print", "summary"}).out);
  CHECK(summary["stall"]["launches"][0]["short_of"].empty());
  CHECK(summary["stall"]["launches"][1]["short_of"] == nlohmann::json::parse(R"([{
    "resource": "slm", "cores": 2, "core": 0, "needed": 4096, "free": 0, "holders_total": 2,
    "held_by": [{"launch": "stuck", "work_groups": 2, "first": [0, 1]}]}])"));
}

TEST_CASE("a stall that is expected passes, one that is not fails check with 3") {
  const TemporaryFolder folder;
  const std::string expected = folder.write("expected.yaml", scenario(kCrossed) + "expect:\n  - outcome: stalled\n");
  CHECK(run_gdsim({"check", expected}).status == 0);
  const std::string surprising =
      folder.write("surprising.yaml", scenario(kCrossed) + "expect:\n  - peak_occupancy: 50\n");
  const Ran ran = run_gdsim({"check", surprising});
  CHECK(ran.status == 3);
  CHECK_THAT(ran.out, Catch::Contains("the run deadlocked, which nothing here expects"));
}

TEST_CASE("a run that comes to a bound that was asked for is bounded, and done") {
  const std::string file = source_path("scenarios/slm_histogram.yaml");
  const Ran by_time = run_gdsim({"run", file, "--max-time", "1 us", "--print", "summary"});
  CHECK(by_time.status == 0);
  CHECK_THAT(by_time.err, Catch::Contains(" came to its bound at 1 us of simulated time"));
  CHECK_THAT(by_time.out, Catch::Contains("\"outcome\": \"bounded\"") && Catch::Contains("\"end_ns\": 1000.000"));
  CHECK(run_gdsim({"run", file, "--max-events", "100", "--print", "summary"}).out.find("\"bounded\"") !=
        std::string::npos);
  CHECK(run_gdsim({"run", file, "--max-events", "1000000"}).status == 0);
  CHECK_THAT(run_gdsim({"run", file, "--max-events", "0"}).err, Catch::Contains("is not a whole number above 0"));
  CHECK_THAT(run_gdsim({"run", file, "--max-time", "1"}).err, Catch::Contains("--max-time: '1' has no unit"));
}

TEST_CASE("threads that wait for what only they would signal are reported, with how often all arrived") {
  const TemporaryFolder folder;
  const std::string own =
      folder.write("own.yaml", scenario("      - compute: 1 us\n      - wait: a\n      - signal: a\n"));
  const Ran first = run_gdsim({"run", own});
  CHECK(first.status == 3);
  CHECK_THAT(first.out, Catch::Contains("the waiting threads are those that should arrive at 'a'") &&
                            Catch::Contains("in a cycle: 'a' -> 'a'") && !Catch::Contains("0 work-groups"));
  const std::string twice = folder.write(
      "twice.yaml", scenario("      - compute: 1 us\n      - signal: a\n      - wait: a\n      - wait: a\n"));
  const Ran second = run_gdsim({"run", twice});
  CHECK(second.status == 3);
  CHECK_THAT(second.out, Catch::Contains("this would be time 2; so far all arrived once"));
}

TEST_CASE("parents that hold what their children need are a cycle of launches") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "family.yaml",
      "scenario: Family\ndevice: tiny\nkernels:\n"
      "  p: {global: 16, local: 4, sub_group: 4, slm: 4 KiB, program: [compute: 1 us, launch: {kernel: c, wait: "
      "true}]}\n"
      "  c: {global: 4, local: 4, sub_group: 4, slm: 4 KiB, program: [compute: 1 us]}\nlaunches: [kernel: p]\n");
  const Ran ran = run_gdsim({"run", file});
  CHECK(ran.status == 3);
  CHECK_THAT(ran.out, Catch::Contains("launches wait for each other in a cycle: p -> p[0]/c -> p") &&
                          Catch::Contains("launch p[0]/c: 1 work-group is not placed"));
  const auto summary = nlohmann::json::parse(run_gdsim({"run", file, "--print", "summary"}).out);
  CHECK(summary["stall"]["launch_circle"] == nlohmann::json::array({"p", "p[0]/c"}));
}

TEST_CASE("a long instant ends at the bound of events") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "spin.yaml", scenario("      - loop: {count: 60000, body: [only: {threads: 0, body: [compute: 1 ns]}, only: "
                            "{threads: 1-3, body: [barrier: x]}]}\n"));
  const Ran ran = run_gdsim({"run", file, "--max-events", "1000"});
  CHECK(ran.status == 0);
  CHECK_THAT(ran.err, Catch::Contains("came to its bound at 0 s"));
}

TEST_CASE("a loop in which a thread only signals has few iterations, for it takes no time") {
  const TemporaryFolder folder;
  const auto loop = [](const std::string& count) {
    return scenario("      - loop: {count: " + count +
                    ", body: [only: {threads: 0, body: [compute: 1 ns]}, signal: a]}\n");
  };
  CHECK(run_gdsim({"run", folder.write("few.yaml", loop("65536"))}).status == 0);
  const Ran ran = run_gdsim({"run", folder.write("many.yaml", loop("65537"))});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("no step of thread 1 takes time") &&
                          Catch::Contains("65536 iterations; this one has 65537."));
}

TEST_CASE("a stall as JSON says of all threads that wait together where, for what, and for which time") {
  const TemporaryFolder folder;
  const auto stall = [&](const std::string& text) {
    const std::string file = folder.write("s.yaml", text);
    return nlohmann::json::parse(run_gdsim({"run", file, "--print", "summary"}).out)["stall"];
  };
  // All four threads meet three times at b; then one waits for the fourth time there, and three wait for a.
  const auto crossed =
      stall(scenario("      - loop: {count: 3, body: [signal: b, wait: b, compute: 1 us]}\n"
                     "      - only: {threads: 0, body: [wait: b, signal: a]}\n"
                     "      - only: {threads: 1-3, body: [wait: a, signal: b]}\n"));
  CHECK(crossed["work_groups"].size() == 4);
  CHECK(crossed["work_groups"][0] == nlohmann::json::parse(R"({
    "launch": "k", "work_group": 0, "core": 0, "waits_at": "wait", "name": "b", "step": 5, "line": 10, "threads": 4,
    "threads_waiting": 1, "threads_unplaced": 0, "threads_ended": 0, "threads_expected": 4, "time_awaited": 4,
    "times_happened": 3, "held_by": ["a"]})"));
  CHECK(crossed["work_groups"][3] == nlohmann::json::parse(R"({
    "launch": "k", "work_group": 1, "core": 0, "waits_at": "wait", "name": "a", "step": 8, "line": 11, "threads": 4,
    "threads_waiting": 3, "threads_unplaced": 0, "threads_ended": 0, "threads_expected": 1, "time_awaited": 1,
    "times_happened": 0, "held_by": ["b"]})"));
  CHECK(crossed["circle"] == nlohmann::json::parse(R"(["b", "a"])"));
  CHECK(crossed["launch_circle"].empty());
  CHECK(crossed["launches"] == nlohmann::json::parse(R"([
    {"launch": "k", "work_groups_unplaced": 0, "waits_for": [], "short_of": []}])"));
}

TEST_CASE("a stall as JSON names the children that are waited for, and the launches that wait for each other") {
  const TemporaryFolder folder;
  // Two parents hold all contexts of both cores, and wait for children that need one.
  const std::string file = folder.write("s.yaml",
                                        "scenario: Children\ndevice: tiny\ndispatch: {admission: whole}\nkernels:\n"
                                        "  p: {global: 128, local: 64, sub_group: 8, program: [compute: 1 us, launch: "
                                        "{kernel: c, wait: true}]}\n"
                                        "  c: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
                                        "launches: [kernel: p]\n");
  auto stall = nlohmann::json::parse(run_gdsim({"run", file, "--print", "summary"}).out)["stall"];
  CHECK_THAT(stall["text"].get<std::string>(), Catch::Contains("launches wait for each other in a cycle: p -> "));
  stall.erase("text");
  CHECK(stall["work_groups"][1] == nlohmann::json::parse(R"({
    "launch": "p", "work_group": 1, "core": 1, "waits_at": "child", "name": "child 0", "step": 1, "line": 5,
    "threads": 8, "threads_waiting": 8, "threads_unplaced": 0, "threads_ended": 0, "threads_expected": 0,
    "time_awaited": 1, "times_happened": 0, "held_by": [], "waits_for_child": "p[1]/c"})"));
  stall.erase("work_groups");
  CHECK(stall == nlohmann::json::parse(R"({
    "launches": [
      {"launch": "p", "work_groups_unplaced": 0, "waits_for": [], "short_of": []},
      {"launch": "p[0]/c", "work_groups_unplaced": 1, "waits_for": [], "short_of": [
        {"resource": "threads", "cores": 2, "core": 0, "needed": 1, "free": 0, "holders_total": 1,
         "held_by": [{"launch": "p", "work_groups": 1, "first": [0]}]}]},
      {"launch": "p[1]/c", "work_groups_unplaced": 1, "waits_for": [], "short_of": [
        {"resource": "other_launches", "holders_total": 1, "held_by": [{"launch": "p[0]/c"}]}]}],
    "circle": [],
    "launch_circle": ["p", "p[0]/c"]})"));
}
