#include <gdsim/study/study_picture.hpp>

#include <catch2/catch.hpp>

#include <regex>
#include <string>
#include <vector>

using namespace gdsim;

namespace {

/// The picture of a study over these axes in which every third point is refused.
std::string picture_over(const std::vector<std::string>& axes) {
  std::vector<Axis> parsed;
  for (const std::string& axis : axes) parsed.push_back(parse_axis(axis));
  const PointSpace space(parsed, {});
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

TEST_CASE("the marks of a curve are circles, and its style colours circles") {
  const std::string picture = picture_over({"a=1,2,3"});
  CHECK_THAT(picture, Catch::Contains("<circle cx=") && Catch::Contains(".mark circle{fill:") &&
                          Catch::Contains(".mark.best circle{fill:") && Catch::Contains(".mark:focus circle,"));
}
