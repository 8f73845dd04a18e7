#include "support/scenarios.hpp"
#include "support/string_sink.hpp"
#include <gdsim/explain/explain.hpp>

#include <catch2/catch.hpp>

#include <stop_token>
#include <utility>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

// The progress of an explanation, and the results of an interrupted one.

namespace {

const std::string kExplainedDrawn =
    "scenario: S\ndevice: tiny\nkernels: {k: {global: 640, local: 8, sub_group: 8, slm: 4 KiB, program: [compute: 1 "
    "us], "
    "variation: {distribution: normal, cv: 0.2, seed: 1}}}\nlaunches: [kernel: k]\n";
const std::string kExplainedDevices =
    "scenario: S\ndevices: {x: tiny, y: tiny}\nkernels: {k: {global: 640, local: 8, sub_group: 8, slm: 4 KiB, program: "
    "[compute: 1 us]}}\nlaunches: [{kernel: k, device: each}]\n";

/// An explanation that is stopped as soon as the given number of runs are done.
Explanation stopped_behind(std::uint64_t runs, const std::string& text, Jobs jobs = {}) {
  const ReadText read = read_text(text);
  REQUIRE(read.problems.empty());
  std::stop_source stop;
  RunOptions options;
  options.stop = stop.get_token();
  return explain(read.scenario(), options, jobs, [&](std::uint64_t done, std::uint64_t) {
    if (done == runs) stop.request_stop();
  });
}

std::size_t changes_tried(const Explanation& one) { return one.changed_runs.size() + one.not_possible.size(); }

}  // namespace

TEST_CASE("an explanation reports each run that is done, of all: the unchanged one, other seeds, changes") {
  const ReadText read = read_text(kExplainedDrawn);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen;
  const Explanation whole =
      explain(read.scenario(), {}, {}, [&](std::uint64_t done, std::uint64_t all) { seen.emplace_back(done, all); });
  const std::uint64_t all = 1 + 4 + changes_tried(whole);
  REQUIRE(seen.size() == all);
  for (std::uint64_t i = 0; i < all; ++i) CHECK(seen[i] == std::pair(i + 1, all));
}

TEST_CASE("an explanation that is interrupted keeps the changes that were tried, and names the others") {
  for (const std::string& text : {kExplainedDrawn, kExplainedDevices})
    for (const std::size_t jobs : {1U, 2U}) {
      const std::size_t all = changes_tried(stopped_behind(0, text));
      const std::uint64_t before = text == kExplainedDrawn ? 1 + 4 : 1;
      const Explanation some = stopped_behind(before + 2, text, {jobs});
      CHECK(some.outcome == Outcome::completed);
      if (jobs == 1) CHECK(changes_tried(some) == 2);
      CHECK(changes_tried(some) >= 2);
      CHECK(changes_tried(some) + some.not_tried.size() == all);
      if (jobs > 1) continue;
      REQUIRE_FALSE(some.not_tried.empty());
      CHECK_THAT(explanation_text(some), Catch::Contains("\nInterrupted; not tried: " + some.not_tried.front() + ", "));
      StringSink json;
      write_explanation_json(some, json);
      CHECK_THAT(json.text, Catch::Contains("\"outcome\": \"interrupted\"") && Catch::Contains("\"not_tried\": ["));
    }
}

TEST_CASE("an explanation whose unchanged run is done is one even if nothing else is") {
  const Explanation none = stopped_behind(1, kExplainedDevices);
  CHECK(none.outcome == Outcome::completed);
  CHECK(none.changed_runs.empty());
  CHECK(none.baseline.count > 0);
  CHECK_FALSE(none.not_tried.empty());
  CHECK_THAT(explanation_text(none),
             Catch::Contains("Nothing is concluded.\n") && !Catch::Contains("No single change"));
}
