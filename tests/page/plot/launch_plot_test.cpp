#include "support/matches.hpp"
#include <gdsim/page/plot/plots.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using gdsim::testing::matches_of;

// The rows of launches over a run of 100 ps: 100,000 units each, 24 high.

namespace {

using Shapes = std::vector<std::string>;

/// What a launch's record has: ready, first and fully dispatched, ended; below 0: not.
struct Row {
  std::int64_t ready, first, fully, ended;
  bool is_copy = false;
  std::vector<std::size_t> after = {};
};

std::optional<SimTime> time_or_none(std::int64_t time) {
  return time < 0 ? std::nullopt : std::optional(SimTime{time});
}

RunView view_of_launches(const std::vector<Row>& rows) {
  RunView view;
  view.record.first_dispatch = SimTime{0};
  view.record.end = SimTime{100};
  for (const Row& row : rows) {
    LaunchRow& launch = view.launches.emplace_back();
    launch.name = "l" + std::to_string(view.launches.size() - 1);
    launch.kernel = "k";
    launch.is_without_kernel = row.is_copy;
    launch.after = row.after;
    LaunchRecord& record = view.record.launches.emplace_back();
    record.ready = time_or_none(row.ready);
    record.first_dispatched = time_or_none(row.first);
    record.fully_dispatched = time_or_none(row.fully);
    record.ended = time_or_none(row.ended);
  }
  return view;
}

LaunchPlot plot_of(const std::vector<Row>& rows) {
  const RunView view = view_of_launches(rows);
  return launch_plot(view, select_launches(view));
}

/// CLASS PATH of each shape.
Shapes launch_shapes(const RunView& view) {
  return matches_of(launch_plot(view, select_launches(view)).shapes, "<path class=\"([a-z ]+)\" d=\"([^\"]*)\"/>");
}

}  // namespace

TEST_CASE("a launch's bars show when it was ready, placed in part, and busy, in a row of its own") {
  CHECK(launch_shapes(view_of_launches({{0, 10, 30, 60}, {5, 20, 20, 100}})) ==
        Shapes{"queue M0 9H1000000V15H0Z", "part M1000000 4H3000000V20H1000000Z", "busy M3000000 4H6000000V20H3000000Z",
               "queue M500000 33H2000000V39H500000Z", "busy M2000000 28H10000000V44H2000000Z"});
  CHECK(launch_shapes(view_of_launches({{0, 0, 0, 40, true}})) == Shapes{"copy M0 7H4000000V17H0Z"});
  CHECK(plot_of({{0, 0, 0, 40}, {0, 0, 0, 40}, {0, 0, 0, 40}}).height == 72);
}

TEST_CASE("what has not ended lasts until the end of the run, with a torn edge in its own row") {
  // Rows 0 and 2 have not ended, the last has not begun.
  const auto found =
      launch_shapes(view_of_launches({{0, 10, 30, -1}, {0, 0, 0, 50}, {0, 20, -1, -1}, {40, -1, -1, -1}}));
  CHECK(found == Shapes{"queue M0 9H1000000V15H0Z", "part M1000000 4H3000000V20H1000000Z",
                        "busy M3000000 4H10000000V20H3000000Z", "busy M0 28H5000000V44H0Z", "queue M0 57H2000000V63H0Z",
                        "part M2000000 52H10000000V68H2000000Z", "queue M4000000 81H10000000V87H4000000Z",
                        "open M10000000 4L9937500 8L10000000 12L9937500 16L10000000 20"
                        "M10000000 52L9937500 56L10000000 60L9937500 64L10000000 68"});
}

TEST_CASE("a line leads from the end of a launch to each that waited for it, critical ones apart") {
  RunView view = view_of_launches({{0, 0, 0, 30}, {30, 30, 30, 60, false, {0}}, {35, 35, 35, 90, false, {0, 1}}});
  view.record.critical_path = {LaunchId{0}, LaunchId{2}};
  view.record.launches[0].slack = Duration{0};
  view.record.launches[1].slack = Duration{30};
  view.record.launches[2].slack = Duration{0};
  const auto found = launch_shapes(view);
  CHECK(found == Shapes{"busy M0 4H3000000V20H0Z", "edge M0 3H3000000V21H0Z", "busy M3000000 28H6000000V44H3000000Z",
                        "busy M3500000 52H9000000V68H3500000Z", "edge M3500000 51H9000000V69H3500000Z",
                        "after M3000000 12V36H3000000M6000000 36V60H6000000", "after critical M3000000 12V60H3500000",
                        "dot M3000000 12H3000000M3000000 12H3000000M6000000 36H6000000"});
  CHECK(matches_of(launch_plot(view, select_launches(view)).shapes, "<title>([^<]*)</title>") ==
        Shapes{"l0 (k): from 0 s to 30 ps; critical", "l1 (k): from 30 ps to 60 ps; slack 30 ps",
               "l2 (k): from 35 ps to 90 ps; critical"});
}

TEST_CASE("lines lead between launches that are shown, in the rows that the selection gives them") {
  RunView view = view_of_launches({{0, 0, 0, 30}, {0, 0, 0, 20}, {30, 30, 30, 60, false, {0, 1}}});
  const LaunchPlot plot = launch_plot(view, {{2, 0}, 3, 0, 0});
  CHECK(plot.rows == 2);
  CHECK(matches_of(plot.shapes, "<title>([^<:]*)") == Shapes{"l2 (k)", "l0 (k)"});
  CHECK(matches_of(plot.shapes, "class=\"after\" d=\"([^\"]*)\"") == Shapes{"M3000000 36V12H3000000"});
  CHECK_FALSE(plot.has_path_row);
}

TEST_CASE("where rows of critical launches are missing, the first row is the whole critical path") {
  RunView view = view_of_launches({{0, 0, 0, 30}, {30, 30, 30, 60, false, {0}}, {60, 80, 80, 90, false, {1}}});
  view.record.critical_path = {LaunchId{0}, LaunchId{1}, LaunchId{2}};
  const LaunchPlot plot = launch_plot(view, {{1}, 3, 3, 1});
  CHECK(plot.has_path_row);
  CHECK(plot.rows == 2);
  CHECK_THAT(plot.shapes, Catch::StartsWith("<g><title>3 launches of the critical path</title><path class=\"busy\" "
                                            "d=\"M0 4H6000000V20H0ZM8000000 4H9000000V20H8000000Z\"/></g>"));
}

TEST_CASE("of very many lines, those of the critical path are drawn first, and those that are left out are counted") {
  std::vector<Row> rows(200, Row{0, 0, 0, 50});
  for (std::size_t i = 100; i < 200; ++i)
    for (std::size_t before = 0; before < 41; ++before) rows[i].after.push_back(before);
  RunView view = view_of_launches(rows);
  view.record.critical_path = {LaunchId{40}, LaunchId{199}};
  const LaunchPlot plot = launch_plot(view, select_launches(view));
  CHECK(plot.lines_left_out == 4'100 - kMaxLaunchLines);
  CHECK(matches_of(plot.shapes, "class=\"after critical\" d=\"(M[^\"]*)\"").size() == 1);
}
