#include "support/matches.hpp"
#include <gdsim/sweep/study_writers.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <tuple>
#include <vector>

using namespace gdsim;
using gdsim::testing::matches_of;

// How good a point is, as the shade of its cell: 1 the worst, 9 the best, 0 none.

namespace {

/// The picture of a study of a = 1, 2, ... (rows) and b = 1 (one column): one cell for each of the results.
std::string picture_of(const std::vector<PointResult>& results, const char* metric = "duration") {
  Axis rows{"a", {}};
  for (std::size_t i = 0; i < results.size(); ++i) rows.values.push_back(std::to_string(i + 1));
  const PointSpace space({rows, Axis{"b", {"1"}}}, {});
  const StudyIdentity identity{"A study", "content", "gdsim test", {std::nullopt, std::nullopt}};
  PointStore store{{}};
  store.open_study(identity, space, {});
  for (std::uint64_t i = 0; i < space.size(); ++i) store.add(i, space.name_of(i), results[i]);
  return study_picture(StudyTable(store, space, identity, metric_of(metric), {}));
}

std::vector<PointResult> lasting(const std::vector<std::int64_t>& durations) {
  std::vector<PointResult> results(durations.size());
  for (std::size_t i = 0; i < durations.size(); ++i) results[i].duration = durations[i];
  return results;
}

/// The shades of the points in their order, as one word.
std::string shades(const std::string& picture) {
  std::string all;
  for (const std::string& shade : matches_of(picture, "</title><rect class=\"cell([0-9])\"")) all += shade;
  return all;
}

}  // namespace

TEST_CASE("a shade says where between the worst and the best a point lies, by powers only if these are far apart") {
  struct Row {
    std::vector<std::int64_t> durations;
    std::string shades;
  };
  for (const Row& row : std::vector<Row>{
           {{100, 125, 150, 175, 200, 225, 250, 275, 300}, "987654321"},
           {{1'100, 1'200, 1'300, 1'400, 1'500, 1'600, 1'700, 1'800, 1'900}, "987654321"},
           {{1, 2, 4, 8, 16, 32, 64, 128, 256}, "987654321"},  // far apart: by powers
           {{100, 173, 300}, "961"},                           // three times as long is not far apart yet
           {{100, 173, 301}, "951"},
           {{0, 500, 1'000}, "951"},  // zero has no powers
           {{7, 7, 7}, "999"},
           {{7}, "9"},
       })
    CHECK(shades(picture_of(lasting(row.durations))) == row.shades);
}

TEST_CASE("one point far off leaves the others their shades, and is worse than the end of the scale") {
  // Without the last, the scale would be the same.
  const std::vector<std::int64_t> durations{1'000, 1'100, 1'200, 1'300, 1'400, 1'500, 1'600, 1'700, 1'800};
  CHECK(shades(picture_of(lasting(durations))) == "987654321");
  for (const std::int64_t slow : {9'000, 20'000, 1'000'000'000}) {
    std::vector<std::int64_t> with = durations;
    with.push_back(slow);
    const std::string picture = picture_of(lasting(with));
    CHECK(shades(picture) == "9876543211");
    CHECK_THAT(picture,
               Catch::Contains(">1.8 ns or more</text>") && Catch::Contains(">1 ns (the best); linear scale</text>"));
  }
  std::vector<PointResult> results = lasting({1, 1, 1, 1, 1, 1});
  for (std::size_t i = 0; i < 6; ++i) results[i].mean_occupancy = 500'000 + 10'000 * static_cast<std::int64_t>(i);
  results[0].mean_occupancy = 10'000;
  const std::string picture = picture_of(results, "mean_occupancy");
  CHECK(shades(picture) == "113579");
  CHECK_THAT(picture, Catch::Contains(">51.0 % or less</text>"));
}

TEST_CASE("the legend says that a scale is logarithmic") {
  CHECK_THAT(picture_of(lasting({1, 2, 4, 8, 16, 32, 64, 128, 256})),
             Catch::Contains(">256 ps</text>") && Catch::Contains(">1 ps (the best); logarithmic scale</text>"));
}

TEST_CASE("where more is better, the greatest value has the best shade") {
  std::vector<PointResult> results = lasting({100, 100, 100});
  results[0].mean_occupancy = 600'000;
  results[1].mean_occupancy = 900'000;
  results[2].mean_occupancy = 300'000;
  CHECK(shades(picture_of(results, "mean_occupancy")) == "591");
  CHECK(shades(picture_of(results)) == "999");
}

TEST_CASE("a point that did not run to its end has no shade, and is not what others are compared with") {
  std::vector<PointResult> results = lasting({300, 100, 200});
  results.push_back({});
  results.back().status = PointStatus::refused;
  results.back().reason = "no";
  results.insert(results.begin(), results.back());
  const std::string picture = picture_of(results);
  CHECK(shades(picture) == "01950");
  CHECK(matches_of(picture, "class=\"mark (refused)\"").size() == 2);
  CHECK(matches_of(picture, "class=\"mark (ok best)\"").size() == 1);
}

TEST_CASE("numbers on dark shades are written in the other colour") {
  const std::string picture = picture_of(lasting({100, 125, 150, 175, 200, 225, 250, 275, 300}));
  CHECK(matches_of(picture, "<text class=\"on(dark|light)\"") ==
        std::vector<std::string>{"dark", "dark", "dark", "dark", "light", "light", "light", "light", "light"});
}

TEST_CASE("the legend of shades goes from the worst figure to the best") {
  std::vector<PointResult> results = lasting({2'000, 1'000});
  results[0].mean_occupancy = 250'000;
  results[1].mean_occupancy = 750'000;
  for (const auto& [metric, worst, best] : {std::tuple("duration", "2 ns", "1 ns"),  //
                                            {"mean_occupancy", "25.0 %", "75.0 %"}}) {
    const std::string picture = picture_of(results, metric);
    const auto samples = matches_of(picture, "\n?<rect class=\"cell([0-9])\" x=\"[0-9]+\" y=\"[0-9]+\" width=\"18\"");
    CHECK(samples == std::vector<std::string>{"1", "2", "3", "4", "5", "6", "7", "8", "9"});
    const std::size_t first = picture.find("<rect class=\"cell1\" x=\"1");
    const std::size_t last = picture.rfind("<rect class=\"cell9\"");
    REQUIRE(first != std::string::npos);
    CHECK(picture.rfind(std::string(">") + worst + "</text>", first) != std::string::npos);
    CHECK(picture.find(std::string(">") + best + " (the best); linear scale", last) != std::string::npos);
  }
}

TEST_CASE("what is said of a point: its figures, its rank, and how much faster than the scenario's own it is") {
  std::vector<PointResult> results = lasting({2'000, 1'000, 2'000});
  results[1].limiter = "slm";
  results[0].mean_occupancy = 250'000;
  results[1].mean_occupancy = 200'000;
  results[2].mean_occupancy = 100'000;
  CHECK(matches_of(picture_of(results), "aria-label=\"([^\"]*)\"><title>") ==
        std::vector<std::string>{"a=1, b=1: 2 ns, rank 2 of 3",
                                 "Best: a=2, b=1: 1 ns, rank 1 of 3, 2.00 times as fast as a=1, b=1, limited by slm",
                                 "a=3, b=1: 2 ns, rank 3 of 3"});
  CHECK(matches_of(picture_of(results, "mean_occupancy"), "aria-label=\"([^\"]*)\"><title>") ==
        std::vector<std::string>{"Best: a=1, b=1: 2 ns, mean occupancy 25.0 %, rank 1 of 3",
                                 "a=2, b=1: 1 ns, mean occupancy 20.0 %, rank 2 of 3, 2.00 times as fast as a=1, b=1, "
                                 "limited by slm",
                                 "a=3, b=1: 2 ns, mean occupancy 10.0 %, rank 3 of 3"});
}
