#include <gdsim/analysis/levels.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

using namespace gdsim;

namespace {
SimTime at(std::int64_t count) { return {count}; }

/// The value at one picosecond, looked up the slow way.
std::uint64_t value_at(const std::vector<Level>& levels, std::int64_t time) {
  std::uint64_t value = 0;
  for (const Level& level : levels)
    if (level.time.count <= time) value = level.value;
  return value;
}
}  // namespace

TEST_CASE("a bin has its time-weighted mean, its minimum and its maximum") {
  const std::vector<Level> levels{{at(0), 4}, {at(5), 10}, {at(8), 0}};
  const auto bins = bins_of(levels, at(0), at(20), 2);
  REQUIRE(bins.size() == 2);
  CHECK(to_fixed(bins[0].mean(), 1) == "5.0");  // (5 x 4 + 3 x 10) / 10
  CHECK(bins[0].min == 0);
  CHECK(bins[0].max == 10);
  CHECK(bins[1].integral == 0);
  CHECK(bins[1].max == 0);
}

TEST_CASE("a change at the border of two bins belongs to the later one") {
  const std::vector<Level> levels{{at(0), 1}, {at(10), 7}};
  const auto bins = bins_of(levels, at(0), at(20), 2);
  CHECK(bins[0].max == 1);
  CHECK(bins[1].min == 7);
}

TEST_CASE("there are never more bins than picoseconds, and none of no time") {
  CHECK(bins_of({}, at(3), at(6), 100).size() == 3);
  CHECK(bins_of({}, at(3), at(3), 100).empty());
}

TEST_CASE("bins of a width are that wide, the last as wide as what is left") {
  const auto bins = bins_of_width(std::vector<Level>{{at(0), 3}}, at(0), at(25), Duration{10});
  REQUIRE(bins.size() == 3);
  CHECK(bins[2].begin == at(20));
  CHECK(bins[2].end == at(25));
  CHECK(bins[2].integral == 15);
}

TEST_CASE("bins of any levels are what looking at every picosecond gives") {
  rc::prop("bins_of", [] {
    std::vector<Level> levels;
    std::int64_t time = *rc::gen::inRange<std::int64_t>(0, 10);
    for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
      levels.push_back({at(time), *rc::gen::inRange<std::uint64_t>(0, 100)});
      time += *rc::gen::inRange<std::int64_t>(1, 9);
    }
    const std::int64_t start = *rc::gen::inRange<std::int64_t>(0, 20);
    const std::int64_t end = start + *rc::gen::inRange<std::int64_t>(0, 60);
    std::int64_t at = start;
    for (const Bin& bin : bins_of(levels, SimTime{start}, SimTime{end}, *rc::gen::inRange<std::size_t>(1, 9))) {
      RC_ASSERT(bin.begin.count == at);
      UInt128 integral = 0;
      std::uint64_t min = ~std::uint64_t{0};
      std::uint64_t max = 0;
      for (; at < bin.end.count; ++at) {
        integral += value_at(levels, at);
        min = std::min(min, value_at(levels, at));
        max = std::max(max, value_at(levels, at));
      }
      RC_ASSERT(bin.integral == integral);
      RC_ASSERT(bin.min == min);
      RC_ASSERT(bin.max == max);
    }
    RC_ASSERT(at == end);
  });
}
