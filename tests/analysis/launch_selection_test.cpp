#include <gdsim/analysis/selected_launches.hpp>

#include <catch2/catch.hpp>

#include <algorithm>

using namespace gdsim;

// Which launches of very many are shown.

namespace {

/// A run of so many launches of 1 ps, one behind the other; none is critical.
RunView view_of_short_launches(std::size_t count) {
  RunView view;
  for (std::size_t i = 0; i < count; ++i) {
    view.launches.emplace_back().name = "l" + std::to_string(i);
    LaunchRecord& record = view.record.launches.emplace_back();
    record.first_dispatched = SimTime{static_cast<std::int64_t>(i)};
    record.ended = SimTime{static_cast<std::int64_t>(i) + 1};
    record.slack = Duration{5};
  }
  view.record.end = SimTime{static_cast<std::int64_t>(count) + 1'000};
  return view;
}

void make_long(RunView& view, std::size_t row) {
  view.record.launches[row].ended = *view.record.launches[row].first_dispatched + Duration{100};
}

bool shows(const LaunchSelection& selection, std::size_t row) {
  return std::find(selection.rows.begin(), selection.rows.end(), row) != selection.rows.end();
}

}  // namespace

TEST_CASE("two hundred launches are all shown, in their order") {
  RunView view = view_of_short_launches(200);
  std::swap(view.record.launches[0], view.record.launches[1]);
  const LaunchSelection selection = select_launches(view);
  CHECK(selection.is_whole());
  CHECK(selection.rows[0] == 0);
  CHECK(selection.rows[199] == 199);
  CHECK(selection_words(selection).empty());
}

TEST_CASE("of more launches, those of the critical path and the longest are shown wherever they stand") {
  RunView view = view_of_short_launches(1'000);
  for (std::size_t row = 987; row <= 993; ++row) {
    view.record.critical_path.push_back(LaunchId{static_cast<std::uint32_t>(row)});
    view.record.launches[row].slack = Duration{0};
  }
  for (const std::size_t row : {300U, 700U, 999U}) make_long(view, row);
  const LaunchSelection selection = select_launches(view);
  CHECK(selection.rows.size() == 200);
  for (const std::size_t row : {987U, 990U, 993U, 300U, 700U, 999U}) CHECK(shows(selection, row));
  CHECK(std::is_sorted(selection.rows.begin(), selection.rows.end()));
  CHECK_THAT(
      selection_words(selection),
      Catch::StartsWith("200 of 1000 launches: all 7 critical ones, and the longest of the others, in the order "));
}

TEST_CASE("launches that are shown stand in the order in which they begin, those that never began last") {
  RunView view = view_of_short_launches(201);
  view.record.launches[7].first_dispatched = SimTime{500};
  view.record.launches[7].ended = SimTime{900};
  view.record.launches[3] = {};
  view.record.launches[3].slack = Duration{0};
  const LaunchSelection selection = select_launches(view);
  REQUIRE(selection.rows.size() == 200);
  CHECK(selection.rows[0] == 0);
  CHECK(selection.rows[198] == 7);
  CHECK(selection.rows[199] == 3);
}

TEST_CASE("up to a thousand launches are shown if they are critical, of more the longest") {
  RunView view = view_of_short_launches(1'500);
  for (std::size_t row = 0; row < 600; ++row) view.record.launches[row].slack = Duration{0};
  for (std::size_t row = 600; row < 800; ++row) make_long(view, row);
  const LaunchSelection most = select_launches(view);
  CHECK(most.rows.size() == 700);  // and the hundred longest
  CHECK(most.critical_shown == 600);
  for (std::size_t row = 0; row < 1'500; ++row) view.record.launches[row].slack = Duration{0};
  const LaunchSelection all = select_launches(view);
  CHECK(all.rows.size() == 1'000);
  CHECK_THAT(selection_words(all),
             Catch::StartsWith("1000 of 1500 launches: the longest 1000 of 1500 critical ones, in "));
  CHECK(select_launches(view, 400).rows.size() == 400);
  CHECK(select_launches(view, 1).rows.size() == 200);
}
