#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/points/run_point.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Launches that are submitted at 0, begin after 1, 2, 3, ... us, and take 10, 20, 30, ... us.
std::vector<LaunchRecord> launches_of(std::size_t count) {
  std::vector<LaunchRecord> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<std::int64_t>(i + 1);
    all[i].submitted = SimTime{};
    all[i].begun = all[i].first_dispatched = at(us(number));
    all[i].ended = at(us(number + 10 * number));
  }
  return all;
}

Duration time(const std::string& text, const std::vector<std::string>& names) {
  return time_of(parse_launch_figure(text), names, launches_of(names.size()));
}

}  // namespace

TEST_CASE("a time of launches is that of one, or of all of a count: mean, median or 99th percentile") {
  const std::vector<std::string> names{"k", "k#2", "k#3", "other"};
  CHECK(time("k#2", names) == us(20));
  CHECK(time("k#2:wait", names) == us(2));
  CHECK(time("k", names) == us(20));
  CHECK(time("k:duration:p50", names) == us(20));
  CHECK(time("k:p99", names) == us(30));
  CHECK(time("k:wait:p99", names) == us(3));
  CHECK(time("other", names) == us(40));
}

TEST_CASE("a time of launches that do not exist, or is misspelt, is refused with what is allowed") {
  CHECK_THROWS_WITH(time("z", {"k", "other"}), Catch::Contains("there is no launch 'z'; launches: k, other"));
  CHECK_THROWS_WITH(parse_launch_figure("k:p95"), Catch::Contains("LAUNCH[:duration|:wait][:mean|:p50|:p99]"));
  CHECK_THROWS_WITH(parse_launch_figure(":wait"), Catch::Contains("LAUNCH[:duration|:wait][:mean|:p50|:p99]"));
}

TEST_CASE("launches that begin when the file says are judged by the sum of their durations, others by the run") {
  const Kernel kernel = kernel_of(1, 1, {compute(us(1))});
  Workload workload = workload_of({kernel, kernel});
  CHECK_FALSE(figure_of_pinned_launches(workload));
  workload.launches[1].at = at(us(5));
  const auto figure = figure_of_pinned_launches(workload);
  REQUIRE(figure);
  CHECK(time_of(*figure, {"k0", "k1"}, launches_of(2)) == us(30));
}

TEST_CASE("a point of several devices is judged by the time of a launch, too") {
  const ReadText read = read_text(
      "scenario: S\ndevices: {x: tiny, y: tiny}\nkernels:\n"
      "  short: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
      "  long: {global: 8, local: 8, sub_group: 8, program: [compute: 5 us]}\n"
      "launches: [{kernel: short, device: x}, {kernel: long, device: y}]\n");
  REQUIRE(read.problems.empty());
  CHECK(run_point(read.scenario(), {}, parse_launch_figure("short")).duration == us(1).count);
  CHECK(run_point(read.scenario(), {}, parse_launch_figure("long")).duration == us(5).count);
  CHECK(run_point(read.scenario(), {}, parse_launch_figure("z")).reason ==
        "--of: there is no launch 'z'; launches: short, long");
}
