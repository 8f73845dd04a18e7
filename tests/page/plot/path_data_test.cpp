#include <gdsim/page/plot/plot_scale.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("a path is written with whole numbers and nothing between its parts") {
  PathData path;
  CHECK(path.empty());
  CHECK(path_element("x", path).empty());
  path.move(1, 20).across(300).down(4).line(5, 60).close();
  CHECK(path.text() == "M1 20H300V4L5 60Z");
  CHECK_FALSE(path.empty());
  CHECK(path_element("some name", path) == "<path class=\"some name\" d=\"M1 20H300V4L5 60Z\"/>");
  CHECK(PathData().box(1, 2, 30, 40).text() == "M1 2H30V40H1Z");
}

TEST_CASE("a torn edge goes down the right side in four teeth, and never left of the picture") {
  CHECK(kPlotWidth / 160 == 62'500);
  CHECK(PathData().torn_edge(100'000, 10, 50).text() == "M100000 10L37500 20L100000 30L37500 40L100000 50");
  CHECK(PathData().torn_edge(62'501, 0, 8).text() == "M62501 0L1 2L62501 4L1 6L62501 8");
  CHECK(PathData().torn_edge(300, 0, 8).text() == "M300 0L0 2L300 4L0 6L300 8");
}
