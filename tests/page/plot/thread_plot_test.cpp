#include <gdsim/page/plot/plots.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

using namespace gdsim;

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

/// How often a letter is in the path of a class. By hand: std::regex takes a frame of the stack for each character.
std::size_t count(const std::string& shapes, const std::string& name, char letter) {
  const std::string opening = "<path class=\"" + name + "\" d=\"";
  const std::size_t found = shapes.find(opening);
  if (found == std::string::npos) return 0;
  const std::size_t path = found + opening.size();
  const std::size_t end = shapes.find('"', path);
  return static_cast<std::size_t>(std::count(shapes.begin() + static_cast<std::ptrdiff_t>(path),
                                             shapes.begin() + static_cast<std::ptrdiff_t>(end), letter));
}

}  // namespace

TEST_CASE("up to 2048 steps are drawn one by one") {
  const std::string shapes = plot_of_changes(2'048);
  CHECK(count(shapes, "resident", 'V') == 2'047);
  CHECK(count(shapes, "most", 'V') == 0);
  CHECK(count(shapes, "often", 'V') == 0);
}

TEST_CASE("of more steps, bins reach from their min of 0 over their mean to their max") {
  const std::string shapes = plot_of_changes(4'099);
  CHECK(count(shapes, "resident", 'V') == 0);
  // Every bin of 5 or 6 of the steps has both 0 and 8, so that the max of all is one line, as is the min.
  CHECK(count(shapes, "most", 'H') == 2);
  CHECK(count(shapes, "often", 'H') > kBinsDrawn / 4);
  CHECK(count(shapes, "stalled", 'H') == 2);
  CHECK(shapes.find("class=\"most\"") < shapes.find("class=\"often\""));
  CHECK(shapes.find("class=\"often\"") < shapes.find("class=\"stalled\""));
}
