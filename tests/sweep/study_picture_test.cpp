#include <gdsim/sweep/study_writers.hpp>

#include <catch2/catch.hpp>

#include <regex>
#include <string>
#include <tuple>
#include <vector>

using namespace gdsim;

namespace {

/// The picture of a study over these axes in which every third point is refused.
std::string picture_over(const std::vector<std::string>& axes, const PointRules& rules = {}) {
  std::vector<Axis> parsed;
  for (const std::string& axis : axes) parsed.push_back(parse_axis(axis));
  const PointSpace space(parsed, rules);
  const std::vector<std::optional<std::size_t>> own_values(axes.size());
  const StudyIdentity identity{"A study", "content", "gdsim test", own_values};
  PointStore store{{}};
  store.open_study(identity, space, {});
  for (std::uint64_t i = 0; i < space.size(); ++i) {
    PointResult result;
    result.duration = static_cast<std::int64_t>(1'000 + i);
    if (i % 3 == 2) {
      result = {};
      result.status = PointStatus::refused;
      result.reason = "no";
    }
    store.add(i, space.name_of(i), result);
  }
  return study_picture(StudyTable(store, space, identity, metric_of("duration"), {}));
}

/// The first group of every match.
std::vector<double> numbers(const std::string& text, const std::string& pattern) {
  std::vector<double> found;
  const std::regex regex(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
    found.push_back(std::stod((*at)[1]));
  return found;
}

}  // namespace

TEST_CASE("the picture of a study is as high as what is drawn in it, a note below it included") {
  // 3 x 2 x 25 maps: more than are drawn, which a note says.
  for (const auto& axes :
       {std::vector<std::string>{"a=1..5+1"}, {"a=1,2", "b=1,2,3"}, {"a=1..50+1", "b=1,2", "c=1,2"}}) {
    const std::string picture = picture_over(axes);
    const double height = numbers(picture, "viewBox=\"0 0 880 ([0-9]+)\"").at(0);
    for (const double y : numbers(picture, "<text [^>]*y=\"([0-9.]+)\"")) CHECK(y <= height);
  }
  CHECK_THAT(picture_over({"a=1..50+1", "b=1,2", "c=1,2"}), Catch::Contains(" of 50 maps; tables have all points."));
}

TEST_CASE("a point of a curve that is not ok is crossed at the bottom of the plot, below all that are") {
  const std::string picture = picture_over({"a=1,2,3"});
  const double top = numbers(picture, "<rect class=\"frame\" x=\"[0-9]+\" y=\"([0-9]+)\"").at(0);
  const double height = numbers(picture, "<rect class=\"frame\" [^>]*height=\"([0-9]+)\"").at(0);
  const auto crosses = numbers(picture, "<path d=\"M[0-9.]+ ([0-9.]+)l");
  REQUIRE(crosses.size() == 1);
  CHECK(crosses[0] > top + height - 20);
  CHECK(crosses[0] < top + height);
  const auto circles = numbers(picture, "<circle [^>]*cy=\"([0-9.]+)\"");
  REQUIRE(circles.size() == 2);
  for (const double y : circles) CHECK(y < crosses[0]);
}

namespace {

struct Box {
  double x, y, width, height;
};

/// Every rectangle of this class.
std::vector<Box> boxes(const std::string& picture, const std::string& style) {
  const auto of = [&](const std::string& key) {
    return numbers(picture, "<rect class=\"" + style + "\" [^>]*" + key + "=\"([0-9.]+)\"");
  };
  const auto x = of("x"), y = of("y"), width = of("width"), height = of("height");
  std::vector<Box> all;
  for (std::size_t i = 0; i < x.size(); ++i) all.push_back({x[i], y[i], width[i], height.at(i)});
  return all;
}

/// What every group of marks draws, in the order of the points.
std::vector<std::string> marks(const std::string& picture) {
  std::vector<std::string> all;
  const std::regex regex("<g class=\"mark [^>]*>(.*?)</g>");
  for (std::sregex_iterator at(picture.begin(), picture.end(), regex), end; at != end; ++at) all.push_back((*at)[1]);
  return all;
}

}  // namespace

TEST_CASE("the cells of a heat map fill its frame without gaps, row by row") {
  for (const auto& [axes, columns, rows, maps] :
       std::vector<std::tuple<std::vector<std::string>, std::size_t, std::size_t, std::size_t>>{
           {{"a=1,2", "b=1,2,3"}, 3, 2, 1},
           {{"a=1,2,3,4,5", "b=1"}, 1, 5, 1},
           {{"a=1,2", "b=1..7+1", "c=1,2,3"}, 3, 7, 2},
           {{"a=1..9+1", "b=1,2,3", "c=1..13+1"}, 13, 3, 9}}) {
    const std::string picture = picture_over(axes);
    const auto frames = boxes(picture, "frame");
    const auto all = marks(picture);
    REQUIRE(frames.size() == maps);
    REQUIRE(all.size() == maps * rows * columns);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Box& frame = frames[i / (rows * columns)];
      const auto cell = boxes(all[i], "cell[0-9]");
      REQUIRE(cell.size() == 1);
      const double width = frame.width / static_cast<double>(columns);
      const double height = frame.height / static_cast<double>(rows);
      CHECK(cell[0].width == Approx(width).margin(0.051));  // written with one decimal
      CHECK(cell[0].height == Approx(height).margin(0.051));
      CHECK(cell[0].x == Approx(frame.x + width * static_cast<double>(i % columns)).margin(0.051));
      CHECK(cell[0].y == Approx(frame.y + height * static_cast<double>(i / columns % rows)).margin(0.051));
    }
    for (std::size_t i = 1; i < frames.size(); ++i)  // beside or below the one before it
      CHECK((frames[i].x >= frames[i - 1].x + frames[i - 1].width ||
             frames[i].y >= frames[i - 1].y + frames[i - 1].height));
    for (const Box& frame : frames) CHECK(frame.x + frame.width <= 880);
  }
}

TEST_CASE("points of a curve stand at equal distances, one line joins numbers, and words and pairs have none") {
  for (const std::string axis :
       {"a=1,2", "a=1,2,4,100", "a=1..9+1", "a=x,y", "a=1,2,x", "a=fill_first,most_room,none"}) {
    INFO(axis);
    const std::string picture = picture_over({axis});
    const Box frame = boxes(picture, "frame").at(0);
    const auto all = marks(picture);
    const double step = frame.width / static_cast<double>(all.size());
    std::string path;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double x = frame.x + step * (static_cast<double>(i) + 0.5);
      const auto circle = numbers(all[i], "<circle cx=\"([0-9.]+)\"");
      REQUIRE(circle.size() == (i % 3 == 2 ? 0 : 1));  // that one is refused
      if (i % 3 == 2) continue;
      CHECK(circle[0] == Approx(x).margin(0.051));
      std::smatch at;
      REQUIRE(std::regex_search(all[i], at, std::regex("cx=\"([0-9.]+)\" cy=\"([0-9.]+)\"")));
      path += std::string(i % 3 == 0 ? "M" : "L") + at[1].str() + " " + at[2].str();
    }
    const bool has_numbers = axis.find_first_of("xyfmn") == std::string::npos;
    CHECK((picture.find("<path class=\"line\" d=\"" + path + "\"/>") != std::string::npos) == has_numbers);
    CHECK((picture.find("<path class=\"line\"") != std::string::npos) == has_numbers);
  }
}

TEST_CASE("points of lists that are given in pairs are no line, though all are numbers") {
  PointRules rules;
  rules.zip = true;
  const std::string picture = picture_over({"a=1,2,3", "b=4,5,6"}, rules);
  CHECK(marks(picture).size() == 3);
  CHECK_THAT(picture, Catch::Contains(">1 / 4</text>") && Catch::Contains(">3 / 6</text>") &&
                          Catch::Contains(">a / b</text>") && !Catch::Contains("class=\"line\""));
}

TEST_CASE("the marks of a curve are circles, and its style colours circles") {
  const std::string picture = picture_over({"a=1,2,3"});
  CHECK_THAT(picture, Catch::Contains("<circle cx=") && Catch::Contains(".mark circle{fill:") &&
                          Catch::Contains(".mark.best circle{fill:") && Catch::Contains(".mark:focus circle,"));
}
