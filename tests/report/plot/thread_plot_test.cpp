#include "support/matches.hpp"

#include <gdsim/report/plot/thread_plot.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using gdsim::testing::matches_of;

namespace {

/// A level that changes so often between 0 and 8, a picosecond each.
std::string plot_of_changes(std::size_t changes) {
  ThreadLevels levels;
  for (std::size_t i = 0; i < changes; ++i) {
    levels.resident.push_back({SimTime{static_cast<std::int64_t>(i)}, i % 2 * 8});
    levels.running.push_back({SimTime{static_cast<std::int64_t>(i)}, 0});
  }
  return thread_plot(levels, TimeScale(SimTime{0}, SimTime{static_cast<std::int64_t>(changes)}), ThreadScale(8));
}

std::size_t count(const std::string& shapes, const std::string& name, char letter) {
  const auto paths = matches_of(shapes, "<path class=\"" + name + "\" d=\"([^\"]*)\"");
  return paths.empty() ? 0 : static_cast<std::size_t>(std::count(paths[0].begin(), paths[0].end(), letter));
}

}  // namespace

TEST_CASE("up to 2048 steps are drawn one by one, without a band") {
  const std::string shapes = plot_of_changes(2'048);
  CHECK(count(shapes, "resident", 'V') == 2'047);
  CHECK(count(shapes, "band", 'M') == 0);
}

TEST_CASE("of more steps, so few bins are drawn that the band is to be seen between the strokes of the mean") {
  const std::string shapes = plot_of_changes(4'099);
  CHECK(count(shapes, "band", 'M') == kBinsDrawn);
  CHECK(count(shapes, "resident", 'V') < kBinsDrawn);
  // On a page of 1,000 pixels, a bin is wider than two strokes of the line.
  CHECK(kBinsDrawn <= 1'000 / 3);
  CHECK(shapes.find("class=\"band\"") < shapes.find("class=\"resident\""));
}
