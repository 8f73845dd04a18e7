#include "support/builders.hpp"
#include "support/scenarios.hpp"
#include <gdsim/scenario/expectations/expectations.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// The verdict on one item of `expect:` about the plain scenario: 8 work-groups of one thread, 4 on each of the
/// 2 cores with their 8 contexts; all end after 1 us.
ExpectationResult verdict(const std::string& item) {
  const ReadText read = read_text(plain_scenario("expect:\n  - " + item + "\n"));
  INFO(item << "\n" << read.problems);
  REQUIRE(read.problems.empty());
  const Scenario& scenario = read.scenario();
  const FullRun run = run_fully(scenario.device, scenario.dispatch, scenario.workload);
  return evaluate_expectation(scenario.expectations[0], scenario, {&run.record, &run.work_groups, &run.cores});
}

bool holds(const std::string& item) { return verdict(item).passed; }

}  // namespace

TEST_CASE("phases are compared one by one, within percentage points") {
  CHECK(holds("phases: [50]"));
  CHECK(holds("{phases: [50.1], within: 0.1}"));
  CHECK_FALSE(holds("{phases: [50.1], within: 0.09}"));
  CHECK_FALSE(holds("phases: [50, 50]"));
  CHECK_FALSE(holds("phases: []"));
}

TEST_CASE("threads of phases are compared exactly") {
  CHECK(holds("phase_threads: [8]"));
  CHECK_FALSE(holds("phase_threads: [7]"));
  const ExpectationResult missed = verdict("phase_threads: [8, 1]");
  CHECK(missed.expected == "[8, 1]");
  CHECK(missed.found == "[8]");
  CHECK(missed.tolerance == "exact");
}

TEST_CASE("occupancies are percent of all contexts") {
  CHECK(holds("peak_occupancy: 50"));
  CHECK(holds("{peak_occupancy: 49, within: 1}"));
  CHECK_FALSE(holds("peak_occupancy: 49.9999"));
  CHECK(holds("mean_occupancy: 50"));
  CHECK_FALSE(holds("{mean_occupancy: 51.1, within: 1}"));
}

TEST_CASE("a duration may be off by a time or by percent") {
  CHECK(holds("duration: 1 us"));
  CHECK_FALSE(holds("duration: 1.000001 us"));
  CHECK(holds("{duration: 1.1 us, within: 100 ns}"));
  CHECK_FALSE(holds("{duration: 1.1 us, within: 99 ns}"));
  CHECK(holds("{duration: 1.25 us, within: 20 %}"));
  CHECK_FALSE(holds("{duration: 1.25 us, within: 19.9%}"));
}

TEST_CASE("outcome, launch times and placement are evaluated") {
  CHECK(holds("outcome: completed"));
  CHECK_FALSE(holds("outcome: stalled"));
  CHECK(holds("launches: {k: {start: 0 ns, end: 1 us}}"));
  CHECK(holds("launches: {k: {end: 1 us}}"));
  CHECK_FALSE(holds("launches: {k: {start: 1 ns}}"));
  CHECK(holds("{launches: {k: {start: 1 ns}}, within: 1 ns}"));
  CHECK(holds("placement: {k: [0, 0, 0, 0, 1, 1, 1, 1]}"));
  CHECK_FALSE(holds("placement: {k: [0, 0, 0, 0, 1, 1, 1]}"));
  CHECK_FALSE(holds("placement: {k: [0, 1, 0, 0, 1, 1, 1, 1]}"));
  const ExpectationResult missed = verdict("placement: {k: [0, 1]}");
  CHECK(missed.expected == "k [0, 1]");
  CHECK(missed.found == "k [0, 0, 0, 0, 1, 1, 1, 1]");
}

TEST_CASE("running threads are averaged over each phase, and may be off by threads") {
  CHECK(holds("running_threads: [8]"));
  CHECK_FALSE(holds("running_threads: [7]"));
  CHECK_FALSE(holds("running_threads: [8, 8]"));
  CHECK(holds("{running_threads: [7.5], within: 0.5}"));
  CHECK_FALSE(holds("{running_threads: [7.5], within: 0.4}"));
}

TEST_CASE("durations of phases may be off by a time, or by percent") {
  CHECK(holds("phase_durations: [1 us]"));
  CHECK_FALSE(holds("phase_durations: [1 us, 1 us]"));
  CHECK_FALSE(holds("phase_durations: []"));
  CHECK_FALSE(holds("phase_durations: [1.1 us]"));
  CHECK(holds("{phase_durations: [1.1 us], within: 100 ns}"));
  CHECK_FALSE(holds("{phase_durations: [1.1 us], within: 99 ns}"));
  CHECK(holds("{phase_durations: [1.1 us], within: 10 %}"));
}

TEST_CASE("cores are compared by their peak, percent of a core") {
  CHECK(holds("cores: {0: 50, 1: 50}"));
  CHECK_FALSE(holds("cores: {0: 50, 1: 49}"));
  CHECK(holds("{cores: {1: 49.5}, within: 0.5}"));
  CHECK_FALSE(holds("cores: {2: 0}"));
  CHECK(verdict("cores: {2: 0}").found == "2: the device has no such core");
}

TEST_CASE("achieved occupancy is percent of the cores that hold something") {
  CHECK(holds("achieved_occupancy: 50"));
  CHECK_FALSE(holds("achieved_occupancy: 51"));
  CHECK(holds("{achieved_occupancy: 51, within: 1}"));
}

TEST_CASE("a launch is compared by its begin and its duration, too, and within percent") {
  CHECK(holds("launches: {k: {begun: 0 ns, duration: 1 us}}"));
  CHECK_FALSE(holds("launches: {k: {begun: 1 ns}}"));
  CHECK_FALSE(holds("launches: {k: {duration: 999 ns}}"));
  CHECK(holds("{launches: {k: {duration: 1.25 us}}, within: 20 %}"));
  CHECK_FALSE(holds("{launches: {k: {duration: 1.25 us}}, within: 19.9 %}"));
}

TEST_CASE("the share of work-groups on their measured core is compared") {
  // Work-groups 0 to 3 are on core 0, 4 to 7 on core 1.
  CHECK(holds("share_on_core: {measured: {0: 0, 3: 0, 4: 1, 7: 0}, at_least: 75}"));
  CHECK_FALSE(holds("share_on_core: {measured: {0: 0, 3: 0, 4: 1, 7: 0}, at_least: 75.1}"));
  CHECK(verdict("share_on_core: {measured: {0: 0, 9: 0}, at_least: 0}").found == "50.0000 % (1 of 2)");
}

TEST_CASE("a known gap passes as long as it does not hold") {
  CHECK(holds("{phase_threads: [9], status: known_gap}"));
  CHECK_FALSE(holds("{phase_threads: [8], status: known_gap}"));
}

TEST_CASE("an expected refusal is missed by a scenario that runs, and by another refusal") {
  CHECK_FALSE(holds("error: slm_too_large"));
  ReadOptions options;
  options.overrides = {{"kernels.k.slm", "5 KiB"}};
  const auto refused = [&](const std::string& code) {
    const ReadText read = read_text(plain_scenario("expect:\n  - error: " + code + "\n"), options);
    return evaluate_expectation(read.scenario().expectations[0], read.scenario(), {});
  };
  CHECK(refused("slm_too_large").passed);
  CHECK_FALSE(refused("work_group_too_large").passed);
  CHECK(refused("work_group_too_large").found == "refused: slm_too_large");
}

TEST_CASE(
    "a verdict says what was expected and what was found, with the digits that tell them apart, and how near is near") {
  struct Row {
    std::string item, expected, found, tolerance;
  };
  for (const Row& row : std::vector<Row>{
           {"{phases: [50.1], within: 0.1}", "[50.1]", "[50.0000]", "0.1 percentage points"},
           {"phases: [50, 49]", "[50, 49]", "[50.0000]", "exact"},
           {"phase_threads: [8]", "[8]", "[8]", "exact"},
           {"running_threads: [7]", "[7]", "[8.0000]", "exact"},
           {"{running_threads: [7.5], within: 0.5}", "[7.5]", "[8.0000]", "0.5 threads"},
           {"{phase_durations: [1.1 us], within: 3 %}", "[1.1 us]", "[1 us]", "3 %"},
           {"peak_occupancy: 49", "49 %", "50.0000 %", "exact"},
           {"{mean_occupancy: 49, within: 2}", "49 %", "50.0000 %", "2 percentage points"},
           {"achieved_occupancy: 50.00000001", "50.00000001 %", "50.0000 %", "exact"},
           {"duration: 1.1 us", "1.1 us", "1 us", "exact"},
           {"{duration: 1.1 us, within: 20 ns}", "1.1 us", "1 us", "20 ns"},
           {"{duration: 1.1 us, within: 3 %}", "1.1 us", "1 us", "3 %"},
           {"outcome: stalled", "stalled", "completed", "exact"},
           {"cores: {0: 50, 1: 49, 7: 1}", "0: 50 %, 1: 49 %, 7: 1 %",
            "0: 50.0000 %, 1: 50.0000 %, 7: the device has no such core", "exact"},
           {"launches: {k: {start: 1 ns, end: 2 ns, begun: 3 ns, duration: 4 ns}}",
            "k start 1 ns, k end 2 ns, k begun 3 ns, k duration 4 ns",
            "k start 0 s, k end 1 us, k begun 0 s, k duration 1 us", "exact"},
           {"share_on_core: {measured: {0: 0, 1: 1, 2: 0}, at_least: 70}", "at least 70 %", "66.6667 % (2 of 3)",
            "exact"},
           {"error: slm_too_large", "refused: slm_too_large", "it ran: completed", "exact"},
           {"{phase_threads: [8], status: known_gap}", "(known gap: must not hold) [8]",
            "[8] (it holds now: remove `status: known_gap`)", "exact"},
           {"{phase_threads: [9], status: known_gap}", "(known gap: must not hold) [9]", "[8]", "exact"}}) {
    INFO(row.item);
    const ExpectationResult found = verdict(row.item);
    CHECK(found.expected == row.expected);
    CHECK(found.found == row.found);
    CHECK(found.tolerance == row.tolerance);
  }
}

TEST_CASE("what was found is shown with more digits if it would look like what was expected") {
  // 8 of 24 contexts.
  const auto found = [](const std::string& item) {
    ReadOptions options;
    options.overrides = {{"device.cores", "3"}};
    const ReadText read = read_text(plain_scenario("expect:\n  - " + item + "\n"), options);
    INFO(read.problems);
    REQUIRE(read.problems.empty());
    const Scenario& scenario = read.scenario();
    const FullRun run = run_fully(scenario.device, scenario.dispatch, scenario.workload);
    return evaluate_expectation(scenario.expectations[0], scenario, {&run.record, &run.work_groups, &run.cores}).found;
  };
  CHECK(found("peak_occupancy: 33.3333") == "33.333333333333 %");
  CHECK(found("peak_occupancy: 33.3334") == "33.3333 %");
  CHECK(found("{peak_occupancy: 33.3333, within: 0.0001}") == "33.3333 %");
}

TEST_CASE("an expected refusal that is missed says which one came instead") {
  ReadOptions options;
  options.overrides = {{"kernels.k.slm", "5 KiB"}};
  const ReadText read = read_text(plain_scenario("expect:\n  - error: work_group_too_large\n"), options);
  const ExpectationResult verdict = evaluate_expectation(read.scenario().expectations[0], read.scenario(), {});
  CHECK(verdict.expected == "refused: work_group_too_large");
  CHECK(verdict.found == "refused: slm_too_large");
  CHECK(verdict.tolerance == "exact");
}
