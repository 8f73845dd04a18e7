#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

// `count:` of launches: one item of the list, many launches.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

ReadText read_launch_list(const std::string& launches) {
  return read_text(
      "scenario: counted\ndevice: tiny\nparameters: {n: 3}\nqueues: {q: {order: in_order}}\nkernels:\n"
      "  small: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\nlaunches: [" +
      launches + "]\n");
}

std::vector<std::string> names_of(const std::string& launches) {
  const ReadText read = read_launch_list(launches);
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  std::vector<std::string> names;
  for (const Launch& launch : read.scenario().workload.launches) names.push_back(launch.name);
  return names;
}

using NameList = std::vector<std::string>;

}  // namespace

TEST_CASE("a counted launch is so many launches in its place, called after the first") {
  CHECK(names_of("{kernel: small, count: 3}") == NameList{"small", "small#2", "small#3"});
  CHECK(names_of("{kernel: small, count: = n - 1}, {kernel: small}") == NameList{"small", "small#2", "small#3"});
  CHECK(names_of("{kernel: small}, {kernel: small, count: 2}") == NameList{"small", "small#2", "small#3"});
  CHECK(names_of("{kernel: small, name: a, count: 3}, {kernel: small}") == NameList{"a", "a#2", "a#3", "small"});
  CHECK(names_of("{kernel: small, name: small, count: 2}, {kernel: small}") == NameList{"small", "small#2", "small#3"});
}

TEST_CASE("to name a counted launch is to wait for all of them, and each can be named alone") {
  const ReadText read = read_launch_list(
      "{kernel: small, count: 3}, {kernel: small, name: all, after: [small]}, "
      "{kernel: small, name: one, count: 2, after: [small#2]}, {kernel: small, name: host, wait: [one]}");
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const auto& launches = read.scenario().workload.launches;
  REQUIRE(launches.size() == 7);
  CHECK(std::vector(launches[3].after.begin(), launches[3].after.end()) ==
        std::vector{launch(0), launch(1), launch(2)});
  for (const std::size_t copy : {4U, 5U})
    CHECK(std::vector(launches[copy].after.begin(), launches[copy].after.end()) == std::vector{launch(1)});
  CHECK(std::vector(launches[6].host_waits.begin(), launches[6].host_waits.end()) == std::vector{launch(4), launch(5)});
}

TEST_CASE("counted launches of an in-order queue follow each other, others run side by side") {
  const auto duration = [](const std::string& launch) {
    const ReadText read = read_launch_list(launch);
    return run_fully(read.scenario().device, read.scenario().workload).record.duration();
  };
  CHECK(duration("{kernel: small, queue: q, count: 4}") == us(4));
  CHECK(duration("{kernel: small, count: 4}") ==
        duration("{kernel: small}, {kernel: small}, {kernel: small}, {kernel: small}"));
}

TEST_CASE("a count of no launch, or of too many, is refused where it stands") {
  CHECK_THAT(read_launch_list("{kernel: small, count: 0}").problems, Catch::Contains("7:35: count: '0' is too small"));
  CHECK_THAT(read_launch_list("{kernel: small, count: = 2 - n}").problems, Catch::Contains("count: '-1' is negative"));
  CHECK_THAT(read_launch_list("{kernel: small, count: 20000000}").problems, Catch::Contains("count: '20000000'"));
  CHECK_THAT(read_launch_list("{kernel: small}, {kernel: small, count: 10000000}").problems,
             Catch::Contains("10000000 launches behind 1 others are more than 10000000"));
}

TEST_CASE("what is wrong with a launch behind a counted one stands in its own line") {
  const ReadText read = read_text(
      "scenario: S\ndevice: tiny\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
      "launches:\n  - {kernel: k, count: 5}\n  - {kernel: k, name: b, cores: [70]}\n");
  CHECK_THAT(read.problems, Catch::Contains("7:33: ") || Catch::Contains("7:32: "));
}
