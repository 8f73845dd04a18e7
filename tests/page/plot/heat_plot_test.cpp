#include "support/matches.hpp"
#include <gdsim/page/plot/plots.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using gdsim::testing::matches_of;

// Maps over a run of 100 ps: 100,000 units each, rows 10 high, of cores with 8 contexts.

namespace {

/// From `time` on a core holds so many threads.
CorePoint point(std::int64_t time, std::uint32_t core, std::uint32_t threads) {
  CorePoint one;
  one.time = SimTime{time};
  one.core = CoreId{core};
  one.resident.threads = threads;
  return one;
}

RunView view_of_cores(std::uint32_t cores, const ChangePoints<CorePoint>& points, std::int64_t end = 100) {
  RunView view;
  view.cores = cores;
  view.record.end = SimTime{end};
  view.record.contexts_per_core = 8;
  view.core_points = points;
  return view;
}

/// SHADE PATH of each shade that there is.
std::vector<std::string> heat_shapes(const RunView& view) {
  return matches_of(heat_plot(view).shapes, "<path class=\"h([0-9])\" d=\"([^\"]*)\"/>");
}

}  // namespace

TEST_CASE("a core is drawn in the shade of its threads while it holds any, neighbours of one shade as one line") {
  ChangePoints<CorePoint> points;
  for (const CorePoint& one : {point(0, 0, 0), point(0, 1, 8), point(10, 0, 1), point(20, 0, 7), point(30, 0, 8),
                               point(60, 0, 0), point(70, 0, 4), point(90, 1, 0)})
    points.push_back(one);
  const RunView view = view_of_cores(2, points);
  CHECK(heat_columns(view) == 100);
  CHECK(heat_plot(view).rows == 2);
  CHECK(heat_plot(view).height == 20);
  CHECK(heat_shapes(view) == std::vector<std::string>{"2 M1000000 5H2000000",  // an eighth: 1 + 8 / 8
                                                      "5 M7000000 5H10000000", "8 M2000000 5H3000000",
                                                      "9 M3000000 5H6000000M0 15H9000000"});
}

TEST_CASE("more than 256 cores share rows, whose shades are means, the last of fewer cores") {
  for (const auto& [cores, per_row, rows] : std::vector<std::tuple<std::uint32_t, std::size_t, std::size_t>>{
           {1, 1, 1}, {256, 1, 256}, {257, 2, 129}, {512, 2, 256}, {513, 3, 171}}) {
    ChangePoints<CorePoint> points;
    for (std::uint32_t core = 0; core < cores; ++core) points.push_back(point(0, core, core % 2 == 0 ? 8 : 0));
    const RunView view = view_of_cores(cores, points);
    CHECK(heat_cores_per_row(view) == per_row);
    CHECK(heat_plot(view).rows == rows);
  }
  ChangePoints<CorePoint> points;
  for (std::uint32_t core = 0; core < 257; ++core) points.push_back(point(0, core, core % 2 == 0 ? 8 : 0));
  const auto found = heat_shapes(view_of_cores(257, points));
  REQUIRE(found.size() == 2);
  CHECK_THAT(found[0], Catch::StartsWith("5 M0 5H10000000M0 15H10000000") && Catch::EndsWith("M0 1275H10000000"));
  CHECK(found[1] == "9 M0 1285H10000000");
}

TEST_CASE("a map has no more stretches than picoseconds, and the fewer the more rows there are") {
  ChangePoints<CorePoint> points;
  points.push_back(point(0, 0, 1));
  CHECK(heat_columns(view_of_cores(1, points, 7)) == 7);
  CHECK(heat_columns(view_of_cores(1, points, 1'000'000)) == 512);
  CHECK(heat_columns(view_of_cores(117, points, 1'000'000)) == 512);
  CHECK(heat_columns(view_of_cores(118, points, 1'000'000)) == 508);
  CHECK(heat_columns(view_of_cores(256, points, 1'000'000)) == 234);
}
