#include "support/builders.hpp"
#include <gdsim/page/html/html_parts.hpp>
#include <gdsim/page/html/page_data.hpp>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>

using namespace gdsim;
using namespace gdsim::testing;
using nlohmann::json;

namespace {
/// A run of `count` launches one behind the other in time, each of the length that `length` gives.
template <class Length>
RunView view_of_launches(std::size_t count, Length length) {
  RunView view;
  std::int64_t now = 0;
  for (std::size_t i = 0; i < count; ++i) {
    LaunchRow row;
    row.name = "l" + std::to_string(i);
    row.kernel = i % 2 == 0 ? "even" : "odd";
    row.queue = i % 3 == 0 ? "" : "q";
    view.launches.push_back(row);
    LaunchRecord life;
    life.begun = life.first_dispatched = life.fully_dispatched = life.ready = SimTime{now};
    now += length(i);
    life.ended = SimTime{now};
    view.record.launches.push_back(life);
  }
  view.record.end = SimTime{now};
  view.terms = small_device().terms;
  view.cores = 1;
  return view;
}
}  // namespace

TEST_CASE("a page lists every launch with its kernel, its lane and its times") {
  const RunView view = view_of_launches(7, [](std::size_t i) { return static_cast<std::int64_t>(10 * (i + 1)); });
  const json data = json::parse(launch_data(view));
  CHECK(data["total"] == 7);
  CHECK(data["name"] == json({"l0", "l1", "l2", "l3", "l4", "l5", "l6"}));
  CHECK(data["kernels"] == json({"even", "odd"}));
  CHECK(data["kernel"] == json({0, 1, 0, 1, 0, 1, 0}));
  CHECK(data["lanes"] == json({"no queue", "queue q"}));
  CHECK(data["lane"] == json({0, 1, 1, 0, 1, 1, 0}));
  CHECK(data["first"] == json({0, 10, 30, 60, 100, 150, 210}));
  CHECK(data["duration"] == json({10, 20, 30, 40, 50, 60, 70}));
  CHECK(data["wait"] == json(std::vector<int>(7, 0)));
  CHECK(!data.contains("busy"));
}

TEST_CASE("of very many launches, a page lists the critical ones and the longest, and how busy all keep each lane") {
  constexpr std::size_t count = 40'000;
  RunView view = view_of_launches(count, [](std::size_t i) { return i == 20'001 ? 1'000 : 10; });
  for (const std::size_t critical : {5U, 30'007U}) {
    view.record.critical_path.push_back(static_cast<LaunchId>(critical));
    view.record.launches[critical].slack = Duration{0};
  }
  const std::string text = launch_data(view);
  CHECK(text.size() < 500'000);
  const json data = json::parse(text);
  CHECK(data["total"] == count);
  CHECK(data["name"].size() < count);
  std::size_t found = 0;
  for (const json& name : data["name"]) found += name == "l5" || name == "l30007" || name == "l20001" ? 1 : 0;
  CHECK(found == 3);
  // Launches follow each other, so the two lanes together are always busy; a third of the time it is the first.
  REQUIRE(data["busy"].size() == 2);
  CHECK(data["busy"][0].get<std::string>().size() == 512);
  // A third of 63 letters is 21: `V`. At most one launch more fits into a part.
  for (const std::size_t part : {0U, 200U, 511U}) {
    const char letter = data["busy"][0].get<std::string>()[part];
    CHECK((letter == 'V' || letter == 'W'));
  }
}

TEST_CASE("more queues than a page has lanes for share one") {
  RunView view = view_of_launches(100, [](std::size_t) { return 10; });
  for (std::size_t i = 0; i < view.launches.size(); ++i) view.launches[i].queue = std::to_string(i);
  const json data = json::parse(launch_data(view));
  CHECK(data["lanes"].size() == 41);
  CHECK(data["lanes"][40] == "other queues");
  CHECK(data["lane"][99] == 40);
}

TEST_CASE("of very many kernels, a page names those of the launches that it lists") {
  RunView view = view_of_launches(30'000, [](std::size_t i) { return static_cast<std::int64_t>(10 + i % 7); });
  for (std::size_t i = 0; i < view.launches.size(); ++i) view.launches[i].kernel = "k" + std::to_string(i);
  const std::string text = launch_data(view);
  CHECK(text.size() < 500'000);
  const json data = json::parse(text);
  REQUIRE(data["kernels"].size() == data["name"].size());
  for (std::size_t i : {0U, 50U, 500U}) {
    const auto kernel = data["kernel"][i].get<std::size_t>();
    CHECK(data["kernels"][kernel].get<std::string>() == "k" + data["name"][i].get<std::string>().substr(1));
    CHECK(data["kernel_numbers"][kernel] == data["number"][i]);
  }
}

TEST_CASE("copies of one direction count as one kernel, whatever their size") {
  RunView view = view_of_launches(3, [](std::size_t) { return 10; });
  for (LaunchRow& row : view.launches) row.is_without_kernel = true;
  view.launches[0].kernel = "copy of 4 KiB to the host";
  view.launches[1].kernel = "copy of 8 KiB to the host";
  view.launches[2].kernel = "copy of 8 KiB to the device";
  const KernelUses uses = kernel_uses(view);
  REQUIRE(uses.kernels.size() == 2);
  CHECK(uses.kernels[0].name == "copies to the host");
  CHECK(uses.kernels[0].launches == 2);
  CHECK(uses.kernels[0].sum == 20);
  CHECK(uses.kernel_of == std::vector<std::size_t>{0, 0, 1});
}

TEST_CASE("a page lists single work-groups core by core, and of too many those of some cores") {
  constexpr std::size_t cores = 40, each = 1'000;
  std::vector<WorkGroupRecord> lives;
  for (std::size_t i = 0; i < cores * each; ++i) {
    const auto start = static_cast<std::int64_t>(i / cores * 100);
    lives.push_back({static_cast<CoreId>(i % cores), 1, SimTime{start}, SimTime{start}, SimTime{start + 90}});
  }
  RunView view = view_of_launches(1, [](std::size_t) { return 100 * static_cast<std::int64_t>(each); });
  view.cores = cores;
  view.record.work_groups_total = lives.size();
  view.group_lives = {lives};
  const std::string text = group_data(view);
  CHECK(text.size() < 700'000);
  const json data = json::parse(text);
  CHECK(data["placed"] == cores * each);
  CHECK(data["cores"].size() == 16);
  CHECK(data["counts"] == json(std::vector<std::size_t>(16, each)));
  CHECK(data["duration"][0] == 90);
  CHECK(data["density"].size() == cores);
  // One work-group is resident for 90 of 100 ps; a part of the run lasts 195 ps, with one gap or two in it.
  CHECK(std::stod(data["max"].dump()) > 0.9);
  CHECK(std::stod(data["max"].dump()) < 0.95);
}

TEST_CASE("the work-groups that take longest are those above the median of their kernel, and none if all are alike") {
  std::vector<WorkGroupRecord> lives;
  const auto add = [&](std::int64_t duration) {
    lives.push_back({CoreId{0}, 1, SimTime{}, SimTime{}, SimTime{duration}});
  };
  for (int i = 0; i < 30; ++i) add(10);
  RunView view = view_of_launches(1, [](std::size_t) { return 100; });
  view.record.work_groups_total = lives.size();
  view.group_lives = {lives};
  CHECK_THAT(group_tables(view), Catch::Contains("group-durations") && !Catch::Contains("take longest"));
  add(40);
  add(50);
  view.group_lives = {lives};
  const std::string tables = group_tables(view);
  CHECK_THAT(tables, Catch::Contains("take longest") && Catch::Contains(">500 %<") && Catch::Contains(">400 %<") &&
                         !Catch::Contains(">100 %<"));
  CHECK(tables.find(">500 %<") < tables.find(">400 %<"));
}

TEST_CASE("the table of kernels has the most time first, and shares that add up") {
  RunView view = view_of_launches(4, [](std::size_t i) { return i % 2 == 0 ? 10 : 30; });
  const std::string table = kernel_table(view);
  CHECK(table.find(">odd<") < table.find(">even<"));
  CHECK_THAT(table, Catch::Contains("<td data-value=\"60\">75.0 %</td>") &&
                        Catch::Contains("<td data-value=\"20\">25.0 %</td>"));
}
