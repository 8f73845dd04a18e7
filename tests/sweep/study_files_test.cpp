#include "support/golden.hpp"
#include "support/matches.hpp"
#include "support/string_sink.hpp"
#include <gdsim/sweep/study_writers.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// A study whose results are written by hand, so that each figure is another one, in everything that is written of it.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

PointResult ok(std::int64_t duration, std::int64_t step) {
  PointResult result;
  result.duration = duration;
  result.peak_occupancy = 900'000 + 10'000 * step;
  result.mean_occupancy = 456'700 + 20'000 * step;
  result.fit_occupancy = 750'000 + 30'000 * step;
  result.limiter = step % 2 == 0 ? "slm" : "threads+registers";
  result.work_groups_per_core = 1 + step;
  result.waves = 21'500 + 1'000 * step;
  return result;
}

PointResult not_ok(PointStatus status, const std::string& reason) {
  PointResult result;
  result.status = status;
  result.reason = reason;
  return result;
}

/// One list and the result of each of its points; none: the point was not run.
struct WrittenStudy {
  std::vector<std::string> axes{"tile=8,16,24,32,40,48"};
  std::vector<std::optional<PointResult>> results{ok(40'000'000, 0),
                                                  ok(20'000'000, 1),
                                                  ok(20'000'000, 2),
                                                  not_ok(PointStatus::deadlocked, "<no> thread comes"),
                                                  not_ok(PointStatus::refused, "local: 40, \"too\" large"),
                                                  std::nullopt};
  std::string metric = "duration";
  std::optional<std::uint64_t> best;
  std::vector<std::optional<std::size_t>> own_values{std::nullopt};
};

void with_table(const WrittenStudy& study, const std::function<void(const StudyTable&)>& visit) {
  std::vector<Axis> axes;
  for (const std::string& axis : study.axes) axes.push_back(parse_axis(axis));
  const PointSpace space(axes, {});
  REQUIRE(space.size() == study.results.size());
  const StudyIdentity identity{"Tiles & <more>", "0123abcd", "gdsim test", study.own_values};
  PointStore store{{}};
  store.open_study(identity, space, {});
  for (std::uint64_t i = 0; i < space.size(); ++i)
    if (study.results[i]) store.add(i, space.name_of(i), *study.results[i]);
  visit(StudyTable(store, space, identity, metric_of(study.metric), study.best));
}

std::string output_of(const WrittenStudy& study, void (*write)(const StudyTable&, Sink&)) {
  gdsim::testing::StringSink sink;
  with_table(study, [&](const StudyTable& table) { write(table, sink); });
  return sink.text;
}

std::string text_of(const WrittenStudy& study) {
  std::string text;
  with_table(study, [&](const StudyTable& table) { text = study_text(table); });
  return text;
}

std::string best_of(const WrittenStudy& study) {
  std::string text;
  with_table(study, [&](const StudyTable& table) { text = best_sentence(table); });
  return text;
}

/// A study of so many points that are ok, and so many refused behind them.
WrittenStudy many(std::size_t are_ok, std::size_t are_refused) {
  WrittenStudy study;
  study.axes = {"n=1.." + std::to_string(are_ok + are_refused) + "+1"};
  study.results.clear();
  for (std::size_t i = 0; i < are_ok; ++i) study.results.emplace_back(ok(9'000'000 - static_cast<std::int64_t>(i), 3));
  for (std::size_t i = 0; i < are_refused; ++i) study.results.emplace_back(not_ok(PointStatus::refused, "too large"));
  return study;
}

/// The style is that of all pages.
std::string without_style(std::string page) {
  const std::size_t begin = page.find("<style>");
  return without_hashes(page.erase(begin, page.find("</style>", begin) - begin));
}

}  // namespace

TEST_CASE("golden: a study of all kinds of points is written as it was approved") {
  const WrittenStudy study;
  CHECK(difference_to_golden("study/points.csv", output_of(study, write_study_csv)).empty());
  CHECK(difference_to_golden("study/points.json", output_of(study, write_study_json)).empty());
  CHECK(difference_to_golden("study/points.html", without_style(output_of(study, write_study_page))).empty());
  CHECK(difference_to_golden("study/points.txt", text_of(study)).empty());
}

TEST_CASE("golden: a heat map of a study is drawn as it was approved") {
  WrittenStudy study;
  study.axes = {"a=1,2", "b=x,y,z"};
  study.metric = "mean_occupancy";
  study.own_values = {1, 0};
  CHECK(difference_to_golden("study/map.svg", output_of(study, write_study_svg)).empty());
  study.axes = {"a=1,2,3", "b=p,q", "c=7"};
  study.own_values = {std::nullopt, std::nullopt, std::nullopt};
  CHECK(difference_to_golden("study/maps.svg", output_of(study, write_study_svg)).empty());
}

TEST_CASE("figures that a point does not have are empty in CSV, and no keys in JSON") {
  WrittenStudy study;
  PointResult bare;
  bare.duration = 5;
  study.axes = {"tile=8,16"};
  study.results = {bare, not_ok(PointStatus::interrupted, "stopped")};
  CHECK_THAT(output_of(study, write_study_csv), Catch::EndsWith("\n8,ok,0.005,1.0000,,,,,,,1,\n"
                                                                "16,interrupted,,,,,,,,,,stopped\n"));
  const std::string json = output_of(study, write_study_json);
  for (const char* key : {"peak_occupancy_percent", "mean_occupancy_percent", "fit_occupancy_percent", "limiter",
                          "work_groups_per_core", "waves"})
    CHECK(json.find(key) == std::string::npos);
  CHECK(times_in(json, "\"duration_ns\"") == 1);
  CHECK(times_in(json, "\"speedup\"") == 1);
  CHECK(times_in(json, "\"rank\"") == 1);
  CHECK(times_in(json, "\"reason\"") == 1);
}

TEST_CASE("speed-ups are against the scenario's own values if that point is ok, else the first that is") {
  WrittenStudy study;
  for (const auto& [own, baseline] : std::vector<std::pair<std::optional<std::size_t>, std::string>>{
           {std::nullopt, "tile=8"}, {0, "tile=8"}, {1, "tile=16"}, {2, "tile=24"}, {3, "tile=8"}, {5, "tile=8"}}) {
    study.own_values = {own};
    CHECK_THAT(output_of(study, write_study_json), Catch::Contains("\"baseline\": \"" + baseline + "\""));
  }
  study.own_values = {1};
  CHECK_THAT(output_of(study, write_study_csv),
             Catch::Contains("\n8,ok,40000.000,0.5000,") && Catch::Contains("\n16,ok,20000.000,1.0000,"));
  study.results.assign(6, not_ok(PointStatus::refused, "no"));
  CHECK_THAT(output_of(study, write_study_json), Catch::Contains("\"baseline\": null"));
}

TEST_CASE("the best points are those of the least duration or the largest occupancy, the first of equal ones first") {
  WrittenStudy study;
  const auto ranks = [&](const std::string& metric, std::optional<std::uint64_t> best) {
    study.metric = metric;
    study.best = best;
    std::string found;
    with_table(study, [&](const StudyTable& table) {
      table.for_each([&](const StudyRow& row) {
        found += (found.empty() ? "" : " ") + table.space().value(row.ordinal, 0) + ":" +
                 (row.rank ? std::to_string(*row.rank) : "-");
      });
      CHECK(table.rows() == static_cast<std::uint64_t>(std::count(found.begin(), found.end(), ':')));
    });
    return found;
  };
  CHECK(ranks("duration", {}) == "8:3 16:1 24:2 32:- 40:- 48:-");
  CHECK(ranks("mean_occupancy", {}) == "8:3 16:2 24:1 32:- 40:- 48:-");
  CHECK(ranks("waves", {}) == "8:1 16:2 24:3 32:- 40:- 48:-");
  CHECK(ranks("duration", 1) == "16:1");
  CHECK(ranks("duration", 2) == "16:1 24:2");
  CHECK(ranks("duration", 3) == "8:3 16:1 24:2");
  CHECK(ranks("duration", 4) == "8:3 16:1 24:2");  // no more are ok
}

TEST_CASE("the sentence of the best point names it, its figure, the baseline if it is another, and what limits it") {
  WrittenStudy study;
  CHECK(best_of(study) ==
        "The best is tile=16: 20 us, 2.00 times as fast as tile=8; 2 work-groups per core fit, limited by "
        "contexts and registers. tile=24 is within 0.5 % of the best.");
  study.own_values = {2};  // as fast as the best
  CHECK(best_of(study) ==
        "The best is tile=16: 20 us; 2 work-groups per core fit, limited by contexts and registers. "
        "tile=24 is within 0.5 % of the best.");
  study.metric = "mean_occupancy";
  CHECK(best_of(study) ==
        "The best is tile=24: 49.7 % mean occupancy, 20 us; 3 work-groups per core fit, limited by SLM.");
  study.results[2].reset();
  study.results[1].reset();
  study.metric = "duration";
  CHECK(best_of(study) == "The best is tile=8: 40 us; 1 work-group per core fits, limited by SLM.");
  study.results[0]->limiter.clear();
  CHECK(best_of(study) == "The best is tile=8: 40 us.");
  study.results[0]->limiter = "slm";
  study.results[0]->work_groups_per_core.reset();
  CHECK(best_of(study) == "The best is tile=8: 40 us.");
  study.results[0].reset();
  CHECK(best_of(study) == "No point is ok.");
}

TEST_CASE("a text has up to 40 rows, of more than that the 10 best") {
  for (const auto& [points, rows] : std::vector<std::pair<std::size_t, std::size_t>>{{39, 39}, {40, 40}, {41, 10}}) {
    const std::string text = text_of(many(points, 0));
    CHECK(times_in(text, " threads+registers\n") == rows);
    CHECK((text.find("These are the 10 best; --format csv and -o FILE.csv have all rows.") != std::string::npos) ==
          (points > 40));
    CHECK((text.find("; rows in the order of points\n") != std::string::npos) == (points <= 40));
  }
}

TEST_CASE("a text shows 100 characters of a reason and of no more says so") {
  WrittenStudy study;
  study.results.assign(6, std::nullopt);
  for (const std::size_t length : {99U, 100U, 101U, 150U}) {
    study.results[0] = not_ok(PointStatus::refused, std::string(length, 'x'));
    CHECK_THAT(text_of(study), Catch::Contains("  refused: " + std::string(std::min<std::size_t>(length, 100), 'x') +
                                               (length > 100 ? "..." : "") + "\n"));
  }
}

TEST_CASE("a page has up to 200 of the best points, and up to 200 of those that are not ok, if there are any") {
  const auto rows = [](std::size_t are_ok, std::size_t are_refused) {
    const std::string page = output_of(many(are_ok, are_refused), write_study_page);
    const std::size_t best = times_in(page, "<td>threads+registers</td></tr>");
    CHECK((page.find("<h2>Not ok</h2>") != std::string::npos) == (are_refused > 0));
    return std::pair(best, times_in(page, "<td>refused</td>"));
  };
  CHECK(rows(3, 0) == std::pair<std::size_t, std::size_t>(3, 0));
  CHECK(rows(199, 200) == std::pair<std::size_t, std::size_t>(199, 200));
  CHECK(rows(200, 199) == std::pair<std::size_t, std::size_t>(200, 199));
  CHECK(rows(201, 201) == std::pair<std::size_t, std::size_t>(200, 200));
}
