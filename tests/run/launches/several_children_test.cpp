#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

#include <map>

// Programs that launch more than one kernel: each step launches its own child, in the order of the program.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// First dispatch and end of each launch by its name, in nanoseconds.
using Spans = std::map<std::string, std::pair<std::int64_t, std::int64_t>>;

Spans spans_of(const std::string& text) {
  const ReadText read = read_text(text);
  REQUIRE(read.problems.empty());
  const Scenario& scenario = read.scenario();
  const FullRun run = run_fully(scenario.device, scenario.dispatch, scenario.workload);
  REQUIRE(run.record.outcome == Outcome::completed);
  Spans spans;
  for (std::size_t i = 0; i < run.record.launches.size(); ++i) {
    const LaunchRecord& launch = run.record.launches[i];
    spans[scenario.workload.launches[i].name] = {launch.first_dispatched->count / 1'000, launch.ended->count / 1'000};
  }
  return spans;
}

/// `outer` runs `program` in work-groups of 2 threads; `a` takes 3 us, `b` two work-groups of 10 us.
std::string scenario_of(const std::string& groups, const std::string& program) {
  return "scenario: Several children\ndevice: tiny\nkernels:\n"
         "  outer:\n    global: " +
         groups + "\n    local: 16\n    sub_group: 8\n    program: [" + program +
         "]\n"
         "  a: {global: 8, local: 8, sub_group: 8, program: [compute: 3 us]}\n"
         "  b: {global: 16, local: 8, sub_group: 8, program: [compute: 10 us]}\n"
         "launches: [kernel: outer]\n";
}

}  // namespace

TEST_CASE("each launch step of a program launches its own kernel, when the work-group reaches it") {
  const std::string text = scenario_of("32",
                                       "compute: 1 us, launch: {kernel: a, wait: true}, launch: {kernel: b, wait: "
                                       "false}, compute: 2 us, launch: {kernel: a, wait: true}, compute: 1 us");
  const Spans spans = spans_of(text);
  CHECK(spans.size() == 7);
  for (const std::string parent : {"outer[0]", "outer[1]"}) {
    CHECK(spans.at(parent + "/a") == std::pair<std::int64_t, std::int64_t>{1'000, 4'000});    // the parent waits
    CHECK(spans.at(parent + "/b") == std::pair<std::int64_t, std::int64_t>{4'000, 14'000});   // it does not
    CHECK(spans.at(parent + "/a#2") == std::pair<std::int64_t, std::int64_t>{6'000, 9'000});  // 2 us later
  }
  CHECK(spans.at("outer") == std::pair<std::int64_t, std::int64_t>{0, 14'000});  // its last child ends it
}

TEST_CASE("steps that follow each other launch different kernels at the same instant") {
  const std::string text =
      scenario_of("16", "compute: 1 us, launch: {kernel: b, wait: false}, launch: {kernel: a, wait: false}");
  const Spans spans = spans_of(text);
  CHECK(spans.at("outer[0]/b") == std::pair<std::int64_t, std::int64_t>{1'000, 11'000});
  CHECK(spans.at("outer[0]/a") == std::pair<std::int64_t, std::int64_t>{1'000, 4'000});
  CHECK(spans.at("outer") == std::pair<std::int64_t, std::int64_t>{0, 11'000});
}

TEST_CASE("a work-group that waits for its second child does not wait for its first") {
  const std::string text = scenario_of(
      "16", "compute: 1 us, launch: {kernel: b, wait: false}, launch: {kernel: a, wait: true}, compute: 1 us");
  const ReadText read = read_text(text);
  const Scenario& scenario = read.scenario();
  const FullRun run = run_fully(scenario.device, scenario.dispatch, scenario.workload);
  // a ends at 4 us, the work-group at 5; b continues until 11.
  CHECK(run.work_groups.records_of(launch(0)).front().ended == at(us(5)));
  CHECK(run.record.duration() == us(11));
}

TEST_CASE("children that begin after their parent are submitted once all its work-groups have ended") {
  std::string text = scenario_of("32", "compute: 1 us, launch: {kernel: a}, compute: 2 us, launch: {kernel: b}");
  text.insert(text.find("    program:"),
              "    children: {begins: after_parent}\n    variation: {work_groups: {1: 2.0}}\n");
  const Spans spans = spans_of(text);
  for (const std::string child : {"outer[0]/a", "outer[1]/a", "outer[0]/b", "outer[1]/b"}) {
    INFO(child);
    CHECK(spans.at(child).first == 6'000);  // work-group 1 takes 6 us
  }
  CHECK(spans.at("outer") == std::pair<std::int64_t, std::int64_t>{0, 16'000});
}

TEST_CASE("children that begin after their parent are submitted once its stores are acknowledged") {
  std::string text = scenario_of("16", "compute: 1 us, launch: {kernel: a}, store: 100 B");
  text.insert(text.find("    program:"), "    children: {begins: after_parent}\n    variation: none\n");
  text.replace(text.find("tiny"), 4,
               "{base: tiny, memory: {levels: [{name: DRAM, bandwidth: 1 GB/s, latency: 500 ns}]}}");
  const Spans spans = spans_of(text);
  CHECK(spans.at("outer[0]/a") == std::pair<std::int64_t, std::int64_t>{1'700, 4'700});  // two threads store 100 B each
  CHECK(spans.at("outer") == std::pair<std::int64_t, std::int64_t>{0, 4'700});
}

TEST_CASE("children that begin at a wait are submitted when their work-group next waits, or else when it ends") {
  const auto spans = [](const std::string& program) {
    std::string text = scenario_of("16", program);
    text.insert(text.find("    program:"), "    children: {begins: at_wait}\n");
    return spans_of(text);
  };
  const Spans waiting = spans("launch: {kernel: b}, compute: 2 us, launch: {kernel: a, wait: true}, compute: 1 us");
  CHECK(waiting.at("outer[0]/b").first == 2'000);
  CHECK(waiting.at("outer[0]/a") == std::pair<std::int64_t, std::int64_t>{2'000, 5'000});
  CHECK(waiting.at("outer") == std::pair<std::int64_t, std::int64_t>{0, 12'000});
  const Spans ending = spans("launch: {kernel: a, wait: true}, launch: {kernel: b}, compute: 2 us");
  CHECK(ending.at("outer[0]/a") == std::pair<std::int64_t, std::int64_t>{0, 3'000});
  CHECK(ending.at("outer[0]/b") == std::pair<std::int64_t, std::int64_t>{5'000, 15'000});
}

TEST_CASE(
    "a work-group cannot wait for a child that begins after all of them, nor do kernels without children have late "
    "ones") {
  const auto problems_of = [](const std::string& program) {
    std::string text = scenario_of("32", program);
    text.insert(text.find("    program:"), "    children: {begins: after_parent}\n");
    return read_text(text).problems;
  };
  CHECK_THAT(problems_of("launch: {kernel: a, wait: true}"),
             Catch::Contains("`begins: after_parent` excludes `launch: {wait: true}`"));
  CHECK_THAT(problems_of("compute: 1 us"),
             Catch::Contains("`begins: after_parent` needs a `launch` step, and the kernel has none"));
}
