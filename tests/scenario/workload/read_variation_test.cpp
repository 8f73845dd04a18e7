#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

const std::string kShipped =
    "scenario: s\ndevice: a100-80gb\nlaunches: [{kernel: k}]\nkernels:\n"
    "  k: {global: 512, local: 32, sub_group: 32, ";

std::optional<Draw> draw_of(const std::string& rest) {
  const ReadText read = read_text(kShipped + rest + "}\n");
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  return draw_in_force(read.scenario().workload.kernels.front());
}

std::string problems_of(const std::string& rest) { return read_text(kShipped + rest + "}\n").problems; }

bool is_default(const std::optional<Draw>& draw) {
  return draw && draw->origin == DrawOrigin::by_default && draw->distribution == Distribution::uniform &&
         compare(draw->cv, Decimal{5, -3}) == 0 && draw->per == DrawPer::work_group && draw->seed == 0;
}

}  // namespace

TEST_CASE("work-groups whose threads share something differ by default") {
  for (const char* step : {"memory: 64 B", "issue: 5 cycles", "slm: {accesses: 1}",
                           "loop: {count: 3, body: [compute: 1 us, only: {threads: 0, body: [issue: 1 us]}]}"})
    CHECK(is_default(draw_of(std::string("program: [{") + step + "}]")));
}

TEST_CASE("nothing is drawn for kernels whose durations are all declared") {
  CHECK_FALSE(draw_of("program: [compute: 1 us, barrier, compute: 5 cycles]").has_value());
}

TEST_CASE("factors of single work-groups are no distribution: the others differ by default") {
  CHECK(is_default(draw_of("program: [memory: 64 B], variation: {work_groups: {3: 2}}")));
}

TEST_CASE("none is the lock step, with factors of single work-groups or without") {
  CHECK_FALSE(draw_of("program: [memory: 64 B], variation: none").has_value());
  CHECK_FALSE(draw_of("program: [memory: 64 B], variation: {distribution: none}").has_value());
  CHECK_FALSE(draw_of("program: [memory: 64 B], variation: {distribution: none, work_groups: {3: 2}}").has_value());
}

TEST_CASE("a draw that is asked for is the one that is made") {
  const auto draw = draw_of(
      "program: [memory: 64 B], variation: {distribution: normal, cv: 0.1, per: thread, seed: 9223372036854775807}");
  REQUIRE(draw.has_value());
  CHECK(draw->origin == DrawOrigin::declared);
  CHECK(draw->distribution == Distribution::normal);
  CHECK(draw->seed == 9'223'372'036'854'775'807);
}

TEST_CASE("a cv of 0 draws nothing, as if the distribution were none") {
  const auto variation_of = [](const std::string& variation) {
    const ReadText read =
        read_text("scenario: S\ndevice: tiny\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, " +
                  std::string("program: [issue: 8 cycles], variation: ") + variation + "}\nlaunches: [kernel: k]\n");
    INFO(read.problems);
    REQUIRE(read.problems.empty());
    return read.scenario().workload.kernels.front().variation;
  };
  for (const char* zero : {"0", "0.0", "= 1 - 1"})
    for (const char* distribution : {"normal", "lognormal", "uniform"})
      CHECK_FALSE(variation_of(std::string("{distribution: ") + distribution + ", cv: " + zero + ", seed: 3}").draw);
  CHECK(variation_of("{distribution: normal, cv: 0.1}").draw);
}

TEST_CASE("a cv without a distribution or beside none, and other words are errors") {
  CHECK(problems_of("program: [memory: 64 B], variation: {cv: 0.1}").find("needs a `distribution`, as in") !=
        std::string::npos);
  CHECK(problems_of("program: [memory: 64 B], variation: {distribution: none, cv: 0.1}").find("cv: says how") !=
        std::string::npos);
  CHECK(problems_of("program: [memory: 64 B], variation: off").find("`none`, or a mapping") != std::string::npos);
}
