#include "support/scenarios.hpp"
#include "support/texts.hpp"

#include <gdsim/scenario/cases/scenario_cases.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

using namespace gdsim;
using namespace gdsim::testing;

// `parameters:` and values that begin with `= `.

namespace {

std::string gemm(const std::string& parameters, const std::string& more = {}) {
  return "scenario: \"= a title\"\ndevice: tiny\nparameters: " + parameters +
         "\nkernels:\n  k:\n    global: [64, 64]\n    local: [= tile, 8]\n    sub_group: 8\n"
         "    program: [compute: 1 us]\n" +
         more + "launches: [kernel: k]\n";
}

/// The same on another device.
std::string on_device(const std::string& device, const std::string& text) {
  return replaced(text, "device: tiny", "device: " + device);
}

const Kernel& kernel(const ReadText& read) { return read.scenario().workload.kernels.front(); }

ReadText with_value(const std::string& key, const std::string& value) {
  return read_text(
      gemm("{tile: 1, n: 3, half: 0.5, buffer: 4 KiB, time: 10 us, clock: 2 GHz}", "    " + key + ": " + value + "\n"));
}

}  // namespace

TEST_CASE("an expression takes the place of a number, in lists too, and quoted where it has a comma") {
  const auto read = read_text(gemm("{tile: 2}", "    registers: \"= max(tile * 8, 4)\"\n"));
  REQUIRE(read.problems.empty());
  CHECK(kernel(read).range.local == Extent{1, 2, 8});
  CHECK(kernel(read).needs.registers == 16);
  CHECK(read.scenario().title == "= a title");
}

TEST_CASE("`auto` is the most that divides: of the work-items in each dimension, of the work-group") {
  const auto sizes = [](const std::string& device, const std::string& keys) {
    const auto read = read_text("scenario: S\ndevice: " + device + "\nparameters: {n: 3}\nkernels:\n  k: {" + keys +
                                ", program: [compute: = local * 1 ns]}\nlaunches: [kernel: k]\n");
    INFO(read.problems);
    REQUIRE(read.problems.empty());
    return std::pair(kernel(read).range.local, kernel(read).sub_group);
  };
  using Sizes = std::pair<Extent, std::uint32_t>;
  CHECK(sizes("xe-lp-tgl", "global: 163850, local: auto, sub_group: auto") == Sizes{{1, 1, 290}, 8U});
  CHECK(sizes("xe-lp-tgl", "global: 163840, local: auto, sub_group: auto") == Sizes{{1, 1, 512}, 32U});
  CHECK(sizes("xe-lp-tgl", "global: [64, 48], local: auto, sub_group: 16") == Sizes{{1, 8, 48}, 16U});
  CHECK(sizes("xe-lp-tgl", "global: = n * 16, local: 48, sub_group: auto") == Sizes{{1, 1, 48}, 16U});
  CHECK(sizes("a100-80gb", "global: 4096, local: auto, sub_group: auto") == Sizes{{1, 1, 1024}, 32U});
  CHECK(sizes("tiny", "global: 1000, local: auto, sub_group: auto").first == Extent{1, 1, 8});  // a core has 8 contexts
  CHECK(sizes("a100-80gb", "global: 7, local: auto, sub_group: auto") == Sizes{{1, 1, 7}, 32U});
}

TEST_CASE("`auto` without what it follows from leaves the problem to what is wrong") {
  const auto problems = [](const std::string& device, const std::string& keys) {
    return read_text("scenario: S\ndevice: " + device + "\nkernels:\n  k: {" + keys +
                     ", sub_group: auto, program: [compute: 1 ns]}\nlaunches: [kernel: k]\n")
        .problems;
  };
  CHECK_THAT(problems("tiny", "global: many, local: auto"), Catch::Contains("global") && !Catch::Contains("local"));
  CHECK_THAT(problems("no_such", "global: 8, local: auto"),
             Catch::Contains("no_such") && !Catch::Contains("sub_group"));
  CHECK_THAT(problems("tiny", "global: 8, local: \"auto\""), Catch::Contains("local"));
}

TEST_CASE("a unit behind an expression belongs to its result") {
  CHECK(kernel(with_value("slm", "= n * 1 KiB")).needs.slm.total == Bytes{3 * 1024});
  CHECK(kernel(with_value("slm", "= (n + 1)KiB")).needs.slm.total == Bytes{4 * 1024});
  CHECK(kernel(with_value("slm", "= n*2B")).needs.slm.total == Bytes{6});
  CHECK(kernel(with_value("working_set", "= half KiB")).working_set == Bytes{512});
}

TEST_CASE("a quantity enters in its base unit and needs a unit behind the result") {
  CHECK(kernel(with_value("slm", "= buffer / 2 B")).needs.slm.total == Bytes{2048});
  const auto read = with_value("slm", "= buffer / 2");
  CHECK_THAT(read.problems, Catch::StartsWith("10:12: ") && Catch::Contains("a unit must stand behind the expression"));
  const auto time = read_text(
      "scenario: T\ndevice: tiny\nparameters: {pause: 10 us}\nkernels:\n"
      "  k: {global: 8, local: 8, sub_group: 8, program: [compute: = 3 * pause ps]}\n"
      "launches: [kernel: k]\nexpect:\n  - duration: = 3 * pause ps\n");
  REQUIRE(time.problems.empty());
  CHECK(std::get<ExpectedDuration>(time.scenario().expectations.front().item).time == Duration{30'000'000});
}

TEST_CASE("expressions know the device's counts and the kernel's own local and threads") {
  CHECK(kernel(with_value("registers", "= device.cores")).needs.registers == 2);
  CHECK(kernel(with_value("registers", "= device.contexts")).needs.registers == 16);
  CHECK(kernel(with_value("registers", "= local + threads")).needs.registers == 9);
  const auto inside = read_text(on_device("{base: tiny, cores: = device.cores}", gemm("{tile: 1}")));
  CHECK_THAT(inside.problems, Catch::Contains("'device.cores' is not known inside of the device itself"));
  const auto cores =
      read_text(on_device("{base: tiny, cores: = 2 + tile}", gemm("{tile: 1}", "    registers: = device.cores\n")));
  REQUIRE(cores.problems.empty());
  CHECK(cores.scenario().device.cores == 3);
  CHECK(kernel(cores).needs.registers == 3);
}

TEST_CASE("an unknown name is reported where it stands, with those that are known") {
  const auto read = with_value("registers", "= 2 * tlie");
  CHECK_THAT(read.problems, Catch::StartsWith("10:22: the expression '2 * tlie': 'tlie' is no parameter; known here: "
                                              "tile, n, half, buffer, time, clock, device.cores, device.contexts, "
                                              "local, threads; did you mean 'tile'?\n"));
}

TEST_CASE("all problems of expressions and of the rest come at once, and nothing follows from what has no value") {
  const auto read = read_text(gemm("{tile: 2}", "    registers: = 1 / 0\n    slm: = foo B\n    barriers: many\n"));
  CHECK(read.problems ==
        "10:18: the expression '1 / 0': it divides by 0\n"
        "11:12: the expression 'foo': 'foo' is no parameter; known here: tile, device.cores, device.contexts, local, "
        "threads\n"
        "12:15: barriers: 'many' is not a number\n");
  // 3 does not divide 64; while `tile` has no value, that is not known.
  CHECK_THAT(read_text(gemm("{other: 3}")).problems, !Catch::Contains("global"));
}

TEST_CASE("a parameter is a number or a quantity, and is not named like anything else") {
  CHECK_THAT(read_text(gemm("{tile: = 2 + 1}")).problems,
             Catch::Contains("a parameter is a number, not an expression"));
  CHECK_THAT(read_text(gemm("{tile: many}")).problems,
             Catch::Contains("tile: is 'many'; a parameter is a number such"));
  CHECK_THAT(read_text(gemm("{tile: [1, 2]}")).problems, Catch::Contains("tile: is a list; a number or a quantity"));
  CHECK_THAT(read_text(gemm("{tile: \"2\"}")).problems, Catch::Contains("is a text; write the number without quotes"));
  CHECK_THAT(read_text(gemm("{tile: 9007199254740993}")).problems, Catch::Contains("more than 2^53"));
  CHECK_THAT(read_text(gemm("{tile: 1, device: 2}")).problems,
             Catch::Contains("'device' is a key of the scenario itself"));
  CHECK_THAT(read_text(gemm("{tile: 1, local: 2}")).problems, Catch::Contains("'local' means the kernel's own"));
  CHECK_THAT(read_text(gemm("{tile: 1, min: 2}")).problems, Catch::Contains("'min' is a function of expressions"));
  CHECK_THAT(read_text(gemm("{tile: 1, a-b: 2}")).problems, Catch::Contains("'a-b' is no name of a parameter"));
  CHECK(read_text(gemm("{tile: 2, s: 3, B: 4}", "    slm: = s * B B\n")).problems.empty());
}

TEST_CASE("a value may be negative on the way, and is refused where it must not be") {
  CHECK(kernel(read_text(gemm("{tile: 1, n: -3}", "    registers: = 0 - n\n"))).needs.registers == 3);
  CHECK_THAT(read_text(gemm("{tile: 1, n: -3}", "    registers: = n\n")).problems,
             Catch::StartsWith("10:16: registers: '-3' is negative"));
  CHECK_THAT(read_text(gemm("{tile: 2}", "    registers: = 7 / tile\n")).problems,
             Catch::Contains("'3.5' is not a whole number"));
}

TEST_CASE("a parameter is set by its path or by its name alone, from outside and by cases") {
  for (const char* path : {"parameters.tile", "tile"}) {
    ReadOptions options;
    options.overrides.push_back({path, "4"});
    CHECK(kernel(read_text(gemm("{tile: 2}"), options)).range.local == Extent{1, 4, 8});
  }
  const auto cases = read_text(gemm("{tile: 2}") + "cases:\n  - {name: a, set: {tile: 8}}\n  - {name: b}\n");
  REQUIRE(cases.cases.size() == 2);
  CHECK(cases.cases[0].scenario.workload.kernels.front().range.local == Extent{1, 8, 8});
  CHECK(cases.cases[0].values_set.front().second == "8");
  CHECK(cases.cases[1].scenario.workload.kernels.front().range.local == Extent{1, 2, 8});
}

TEST_CASE("a key of the only kernel is set by its name alone") {
  ReadOptions options;
  options.overrides = {{"local", "[4, 8]"}, {"program.0.compute", "2 us"}};
  const auto read = read_text(gemm("{tile: 2}"), options);
  REQUIRE(read.problems.empty());
  CHECK(kernel(read).range.local == Extent{1, 4, 8});
  options.overrides = {{"tlie", "4"}};
  CHECK_THAT(read_text(gemm("{tile: 2}"), options).problems, Catch::Contains("unknown key 'tlie'"));
}

TEST_CASE("only the source of an expectation and the sources of a device are words, whatever else has such a name") {
  const std::string text =
      "scenario: T\nparameters: {p: 2}\n"
      "device: {base: tiny, slm: {per_core: = 8 * p KiB}, sources: {slm: = as they say}}\n"
      "kernels:\n  source: {global: = 8 * p, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
      "dispatch: {kernel_choice: priority}\n"
      "queues: {source: {priority: = p + 1}, sources: {priority: = p + 2}}\n"
      "launches: [{kernel: source, queue: source}]\n"
      "expect:\n  - launches: {source: {end: = p / 2 us}}\n    source: = a guess\n";
  const auto read = read_text(text);
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const Scenario& scenario = read.scenario();
  CHECK(scenario.workload.queues.at(0).priority == 3);
  CHECK(scenario.workload.queues.at(1).priority == 4);
  CHECK(scenario.expectations.front().source == "= a guess");
  CHECK(scenario.device.slm.per_core == Bytes{16 * 1024});
  const auto& sources = scenario.device.sources;
  CHECK(std::count(sources.begin(), sources.end(),
                   std::pair<std::string, FigureSource>("slm", {.text = "= as they say"})) == 1);
}
