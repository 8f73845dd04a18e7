#include <gdsim/page/html/page_data.hpp>

#include <catch2/catch.hpp>

#include <vector>

using namespace gdsim;

namespace {
SimTime at(std::int64_t picoseconds) { return SimTime{picoseconds}; }

GroupLife life(std::int64_t start, std::int64_t end, bool has_ended = true) {
  return {0, 0, at(start), at(end), has_ended};
}

std::vector<std::int64_t> gaps_of(std::vector<GroupLife> core) {
  std::vector<std::int64_t> counts;
  for (const Duration gap : replacement_gaps({std::move(core)})) counts.push_back(gap.count);
  return counts;
}
}  // namespace

TEST_CASE("a work-group takes the place of the first that ended and was not replaced yet") {
  CHECK(gaps_of({life(0, 10), life(0, 30), life(12, 40), life(35, 50)}) == std::vector<std::int64_t>{2, 5});
  // At the same instant: a gap of nothing is one, too.
  CHECK(gaps_of({life(0, 10), life(10, 20)}) == std::vector<std::int64_t>{0});
}

TEST_CASE("what takes a place that was free from the beginning has replaced nothing") {
  CHECK(gaps_of({life(0, 10), life(5, 20)}).empty());
  CHECK(gaps_of({life(0, 10, false), life(10, 20)}).empty());
}

TEST_CASE("no gap reaches from one core to another") {
  CHECK(replacement_gaps({{life(0, 10)}, {life(20, 30)}}).empty());
}

TEST_CASE("a histogram counts every duration once, the shortest in its first part and the longest in its last") {
  std::vector<Duration> durations;
  for (std::int64_t i = 100; i >= 1; --i) durations.push_back({i});
  const Histogram histogram = histogram_of(durations);
  std::uint64_t sum = 0;
  for (const std::uint64_t bin : histogram.bins) sum += bin;
  CHECK(sum == 100);
  CHECK(histogram.count == 100);
  CHECK(histogram.min == Duration{1});
  CHECK(histogram.median == Duration{50});
  CHECK(histogram.p95 == Duration{95});
  CHECK(histogram.max == Duration{100});
  CHECK(histogram.sum == 5'050);
  CHECK(histogram.bins.front() > 0);
  CHECK(histogram.bins.back() > 0);
}

TEST_CASE("equal durations are in one part, and none make zeros") {
  const Histogram equal = histogram_of({Duration{7}, Duration{7}});
  CHECK(equal.bins.front() == 2);
  CHECK(equal.bins.back() == 0);
  CHECK(histogram_of({}).count == 0);
}
