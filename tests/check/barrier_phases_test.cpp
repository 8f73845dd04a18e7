#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// What is wrong with a kernel of four threads with this program.
std::string problems_of_phases(const std::string& program) {
  return read_text("scenario: s\ndevice: tiny\nkernels: {k: {global: 32, local: 32, sub_group: 8, program: " + program +
                   "}}\nlaunches: [{kernel: k}]\n")
      .problems;
}

/// A loop of `count` iterations in which thread 3 alone does something that takes time, besides `steps`.
std::string loop_of_phases(const std::string& count, const std::string& steps) {
  return "loop: {count: " + count + ", body: [only: {threads: 3, body: [compute: 1 ps]}, " + steps + "]}";
}

/// These loops, 2^47 times.
std::string often(const std::string& loops) {
  return "[loop: {count: 140737488355328, body: [compute: 1 ps, " + loops + "]}]";
}

}  // namespace

TEST_CASE("phases of a barrier that leave 63 bits are refused, whether a thread arrives or waits for them") {
  CHECK(problems_of_phases(often(loop_of_phases("65535", "barrier"))).empty());
  for (const char* step : {"barrier", "signal: x", "wait: x"})
    CHECK_THAT(problems_of_phases(often(loop_of_phases("65536", step))),
               Catch::Contains("thread 0 arrives at a barrier, or waits for one, more than 9223372036854775807 times, "
                               "in the loops around line 3; make one of them shorter"));
}

TEST_CASE("arrivals at one barrier count together, those at others and waits apart") {
  const auto two = [](const std::string& first, const std::string& second) {
    return problems_of_phases(often(loop_of_phases("40000", first) + ", " + loop_of_phases("40000", second)));
  };
  CHECK(two("barrier: a", "barrier: b").empty());
  CHECK(two("signal: a", "wait: a").empty());
  CHECK_THAT(two("signal: a", "barrier: a"), Catch::Contains("more than 9223372036854775807 times"));
}
