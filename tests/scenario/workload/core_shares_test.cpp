#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

// Queues that have a number of cores, or a share of the device.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

std::string sharing_scenario(const std::string& cores, const std::string& queues) {
  return "scenario: Shares\ndevice: {base: tiny, cores: " + cores +
         "}\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\nqueues: {" + queues +
         "}\nlaunches: [{kernel: k, queue: a}]\n";
}

/// The cores of each queue, as `0-3 8-9`.
std::vector<std::string> queue_cores(const std::string& cores, const std::string& queues) {
  const ReadText read = read_text(sharing_scenario(cores, queues));
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  std::vector<std::string> found;
  for (const Queue& queue : read.scenario().workload.queues) {
    std::string text;
    for (const CoreRange& range : queue.cores)
      text += (text.empty() ? "" : " ") + std::to_string(index_of(range.first)) + "-" +
              std::to_string(index_of(range.last));
    found.push_back(text);
  }
  return found;
}

std::string problems_with_queues(const std::string& queues) {
  return read_text(sharing_scenario("10", queues)).problems;
}

}  // namespace

TEST_CASE("queues with a number of cores have cores of their own, in whole granules, one behind the other") {
  CHECK(
      queue_cores("40", "a: {cores: {count: 9, granule: 8}}, b: {cores: {count: 4}}, c: {}, d: {cores: {count: 20}}") ==
      std::vector<std::string>{"0-15", "16-19", "", "20-39"});
  CHECK_THAT(problems_with_queues("a: {cores: {count: 6}}, b: {cores: {count: 3, granule: 8}}"),
             Catch::Contains("needs 8 cores, but the other queues leave only 4 of 10"));
}

TEST_CASE("shares are rounded up to whole cores, and overlap where they are more than the whole device") {
  CHECK(queue_cores("10", "a: {share: 50 %}, b: {share: 25 %}, c: {share: 40 %}") ==
        std::vector<std::string>{"0-4", "5-7", "0-1 8-9"});
  CHECK(queue_cores("10", "a: {share: 100 %}, b: {share: 0.5 %}") == std::vector<std::string>{"0-9", "0-0"});
}

TEST_CASE("no queue gets cores that another one names or counts, whatever their order") {
  CHECK(queue_cores("8", "a: {cores: 0-3}, b: {cores: {count: 4}}") == std::vector<std::string>{"0-3", "4-7"});
  CHECK(queue_cores("8", "a: {share: 50 %}, b: {cores: {count: 3}}, c: {share: 25 %}, d: {cores: 7}") ==
        std::vector<std::string>{"3-6", "0-2", "3-3 7-7", "7-7"});
  CHECK_THAT(problems_with_queues("a: {share: 100 %}, b: {cores: {count: 1}}"),
             Catch::Contains("is 10 cores, but queues with `cores: {count}` leave only 9 of 10"));
}

TEST_CASE("a share is above 0 % and at most 100 %, and nothing beside cores") {
  for (const char* share : {"0 %", "101 %", "50", "half"})
    CHECK_THAT(problems_with_queues(std::string("a: {share: ") + share + "}"),
               Catch::Contains("a share must be above 0 %"));
  CHECK_THAT(problems_with_queues("a: {share: 50 %, cores: 0-2}"),
             Catch::Contains("`share` and `cores` exclude each other"));
  CHECK_THAT(problems_with_queues("a: {cores: {granule: 8}}"), Catch::Contains("'count'"));
}
