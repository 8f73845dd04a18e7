#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// What is wrong with a kernel of four threads with this program, on a device with this `barrier_cost`.
std::string problems_with(const std::string& program, const std::string& barrier_cost = "0 s",
                          const std::string& range = "global: 32, local: 32") {
  return read_text("scenario: s\ndevice: {base: tiny, barrier_cost: {base: " + barrier_cost + "}}\nkernels: {k: {" +
                   range + ", sub_group: 8, program: " + program + "}}\nlaunches: [{kernel: k}]\n")
      .problems;
}

/// Thread 0 does the first in a loop of so many iterations, the others do the second.
std::string loop_of(const std::string& count, const std::string& of_first, const std::string& of_others) {
  return "[loop: {count: " + count + ", body: [only: {threads: 0, body: " + of_first +
         "}, only: {threads: 1-3, body: " + of_others + "}]}]";
}

constexpr const char* kMany = "1000000000000";

}  // namespace

TEST_CASE("threads that meet only each other in a loop take no time") {
  CHECK_THAT(problems_with(loop_of(kMany, "[compute: 1 ps]", "[barrier: x]")),
             Catch::Contains("no step of thread 1 takes time in the loop around line 3"));
  CHECK(problems_with(loop_of("65536", "[compute: 1 ps]", "[barrier: x]")).empty());
}

TEST_CASE("threads that wait in a loop for others that take time take time, too") {
  CHECK(problems_with(loop_of(kMany, "[compute: 1 ps, barrier: x]", "[barrier: x]")).empty());
  CHECK(problems_with(loop_of(kMany, "[compute: 1 ps, signal: x]", "[wait: x]")).empty());
  // One paces the next.
  CHECK(problems_with("[loop: {count: 1000000, body: [only: {threads: 0, body: [barrier: a]}, only: {threads: 1, body: "
                      "[barrier: a, barrier: b]}, only: {threads: 2, body: [compute: 1 ps, barrier: b]}]}]")
            .empty());
}

TEST_CASE("a barrier that costs time paces its threads, also if others signal it, but not those that wait for it") {
  CHECK(problems_with(loop_of(kMany, "[compute: 1 ps]", "[barrier: x]"), "1 ns").empty());
  CHECK_THAT(problems_with(loop_of(kMany, "[compute: 1 ps]", "[signal: x, wait: x]"), "1 ns"),
             Catch::Contains("no step of thread 1 takes time"));
  CHECK(problems_with(loop_of(kMany, "[compute: 1 ps]", "[signal: x, barrier: x]"), "1 ns").empty());
}

TEST_CASE("a loop in a loop takes no time if neither does") {
  const std::string nested = loop_of("1000", "[compute: 1 ps]", "[barrier: x]");
  const auto problems = [&](const std::string& count) {
    return problems_with("[loop: {count: " + count + ", body: " + nested + "}]");
  };
  CHECK_THAT(problems("66"), Catch::Contains("no step of thread 1 takes time") &&
                                 Catch::Contains("65536 iterations; this one has 66000."));
  CHECK(problems("65").empty());
}

TEST_CASE("an inner loop without time may be long in all where something takes time between") {
  const std::string nested = loop_of("3", "[compute: 1 ps]", "[barrier: x]").substr(1);
  CHECK(problems_with("[loop: {count: 1000000, body: [compute: 1 ps, " + nested + "}]").empty());
}

TEST_CASE("a smaller work-group at an edge may lack the threads that take time") {
  const std::string program =
      "[loop: {count: 1000000, body: [only: {threads: 0-1, body: [barrier: x]}, only: {threads: "
      "2-3, body: [compute: 1 ps, barrier: x]}]}]";
  CHECK(problems_with(program).empty());
  CHECK_THAT(problems_with(program, "0 s", "global: 48, local: 32, non_uniform: true"),
             Catch::Contains("no step of thread 0 takes time"));
}

TEST_CASE("a barrier that no other threads come to does not pace a loop that others are in, too") {
  // Threads 1 to 3 meet only each other: 60 x 1,000 times at x, and 60 x so many at y.
  const auto problems = [](const std::string& at_x, const std::string& at_y) {
    const std::string inner = loop_of("1000", "[compute: 1 ps]", "[" + at_x + "]");
    const std::string other = loop_of(at_y, "[compute: 1 ps]", "[barrier: y]");
    return problems_with("[loop: {count: 60, body: [" + inner.substr(1, inner.size() - 2) + ", " +
                         other.substr(1, other.size() - 2) + "]}]");
  };
  for (const std::string at_x : {"barrier: x", "barrier: x, barrier: x", "signal: x, wait: x"}) {
    INFO(at_x);
    CHECK(problems(at_x, "1000").empty());
    CHECK_THAT(problems(at_x, "2000"), Catch::Contains("no step of thread 1 takes time in the loop"));
  }
}

TEST_CASE("a loop that only signals, or only waits for what may never come, takes no time and has few iterations") {
  CHECK(problems_with("[loop: {count: 4, body: [signal: x]}, compute: 1 us]").empty());
  CHECK(
      problems_with("[loop: {count: 4, body: [loop: {count: 3, body: [signal: x]}, wait: x]}, compute: 1 us]").empty());
  CHECK_THAT(problems_with("[loop: {count: 65537, body: [signal: x]}, compute: 1 us]"),
             Catch::Contains("takes time in the loop around line 3"));
  const std::string flags = "signal: {name: f, scope: launch, index: 0}, wait: {name: f, scope: launch, index: -1}";
  CHECK(problems_with("[loop: {count: 65536, body: [" + flags + "]}, compute: 1 us]").empty());
  CHECK_THAT(problems_with("[loop: {count: 65537, body: [" + flags + "]}, compute: 1 us]"),
             Catch::Contains("takes time in the loop around line 3"));
  CHECK_THAT(problems_with("[loop: {count: 4, body: [barrier]}, compute: 1 us]"),
             Catch::Contains("nothing in the loop takes time"));
}
