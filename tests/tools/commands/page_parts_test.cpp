#include "support/builders.hpp"
#include "support/markup.hpp"
#include "support/matches.hpp"
#include "support/process.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace gdsim::testing;
using Catch::Contains;
using nlohmann::json;

// Parts of pages that not every run has: groups of cores, several cases, what would help.

namespace {

const std::string kVectorAdd3 = source_path("scenarios/vector_add3.yaml");

const std::string kTwoLevels =
    "scenario: Groups of cores\n"
    "device: {base: tiny, cores: 5, core_groups: [{name: die, sizes: [3, 2]}, {name: \"<pair>\", count: 2}]}\n"
    "kernels:\n"
    "  k: {global: 45, local: 3, sub_group: 1, slm: 1 KiB, program: [compute: 1 us, barrier, compute: 300 ns], "
    "variation: {work_groups: {2: 1.5, 7: 0.5}}}\nlaunches: [kernel: k]\n";

/// The page that `gdsim report` writes, and its exit status.
struct Page {
  std::string text;
  Ran ran;
};

Page drawn_page(const std::string& input, const std::vector<std::string>& more = {}) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "page.html").string();
  std::vector<std::string> words{"report", input, "-o", file};
  words.insert(words.end(), more.begin(), more.end());
  Ran ran = run_gdsim(words);
  INFO(ran.err);
  REQUIRE(std::filesystem::exists(file));
  std::string text = read_file(file);
  CHECK(fault_of_markup(text).empty());
  return {std::move(text), std::move(ran)};
}

/// What a page has for its script.
json script_data(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t at = page.find(begin) + begin.size();
  return json::parse(page.substr(at, page.find("</script>", at) - at));
}

}  // namespace

TEST_CASE("groups of cores are rows of a section that is closed at first, by level") {
  const TemporaryFolder folder;
  const std::string page = drawn_page(folder.write("a.yaml", kTwoLevels)).text;
  CHECK_THAT(page,
             Contains("<details id=\"core-groups\"><summary>Show occupancy of every die, &lt;pair&gt;</summary>"));
  CHECK(times_in(page, "<figure id=\"core-group-") == 6);
  CHECK_THAT(page, Contains("<figcaption>die 0, cores 0 to 2</figcaption>") &&
                       Contains("<figcaption>&lt;pair&gt; 2, core 3</figcaption>"));
  CHECK_THAT(drawn_page(kVectorAdd4).text, !Contains("core-groups") && !Contains("core_groups\":"));
}

TEST_CASE("the values of groups of cores on a page are those of groups.csv") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", kTwoLevels);
  const json groups = script_data(drawn_page(file).text)["core_groups"];
  std::map<std::string, std::vector<std::pair<std::string, std::uint64_t>>> expected;
  std::vector<std::vector<std::string>> rows = all_cells_of(run_gdsim({"run", file, "--print", "groups"}).out);
  rows.erase(rows.begin());
  for (const std::vector<std::string>& cells : rows) {
    auto& steps = expected[cells[1] + " " + cells[2]];
    const std::uint64_t threads = std::stoull(cells[3]);
    if (steps.empty() || steps.back().second != threads) steps.emplace_back(cells[0], threads);
  }
  REQUIRE(groups.size() == 6);
  REQUIRE(expected.size() == 6);
  for (const json& group : groups) {
    INFO(group["name"]);
    std::vector<std::pair<std::string, std::uint64_t>> steps;
    for (std::size_t i = 0; i < group["time"].size(); ++i)
      if (steps.empty() || steps.back().second != group["resident"][i])
        steps.emplace_back(group["time"][i], group["resident"][i]);
    CHECK(steps == expected[group["name"]]);
  }
  CHECK(groups[0]["contexts"] == 24);
  CHECK(groups[1]["contexts"] == 16);
}

TEST_CASE("a level of very many groups is left out, and a group that changes often is drawn as means") {
  const TemporaryFolder folder;
  const std::string many =
      folder.write("many.yaml",
                   "scenario: Many\ndevice: {base: tiny, cores: 200, core_groups: [{name: die, count: 2}, {name: "
                   "slice, count: 50}]}\n"
                   "kernels:\n  k: {global: 24000, local: 3, sub_group: 1, program: [compute: 1 us], "
                   "variation: {distribution: normal, cv: 0.2, seed: 1}}\nlaunches: [kernel: k]\n");
  const std::string page = drawn_page(many).text;
  CHECK_THAT(page, Contains("<p class=\"note\">100 slices are too many to draw one by one.</p>"));
  CHECK(times_in(page, "<figure id=\"core-group-") == 2);
  const json groups = script_data(page)["core_groups"];
  REQUIRE(groups.size() == 102);
  CHECK(groups[0]["binned"] == true);
  CHECK(groups[0]["time"].size() == 256);
  CHECK(groups[2].is_null());
}

TEST_CASE("the chart of a device of many cores has a lane for each of their groups") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "a.yaml",
      "scenario: Groups\ndevice: {base: tiny, cores: 24, core_groups: [{name: die, sizes: [8, 16]}, {name: slice, "
      "count: 2}, {name: pair, count: 4}]}\nkernels:\n  k: {global: 32, local: 8, sub_group: 1, program: [compute: 1 "
      "us]}\n"
      "launches: [kernel: k]\n");
  const std::string chart = run_gdsim({"run", file, "--chart"}, {"LC_ALL=C"}).out;
  // 4 work-groups of 8 threads fill the first four cores, which are the first of four slices; pairs are too many.
  CHECK_THAT(chart, Contains("           each slice, by its number:\n        0 |" + std::string(60, '#') +
                             "|\n        1 |" + std::string(60, ' ') + "|\n") &&
                        Contains("        3 |") && !Contains("        4 |"));
  CHECK_THAT(run_gdsim({"run", kVectorAdd4, "--chart"}, {"LC_ALL=C"}).out, !Contains("by its number"));
}

TEST_CASE("a page of several cases has a table of all, the first in full, and the others ready to be chosen",
          "[figures]") {
  const std::string file = source_path("scenarios/vector_add2.yaml");
  const auto [page, ran] = drawn_page(file);
  CHECK(ran.status == 0);
  const std::string table = run_gdsim({"run", file}).out;
  const auto names = matches_of(page, "<a href=\"#case=([^\"]*)\">");
  REQUIRE(names.size() > 1);
  CHECK(matches_of(page, "<div id=\"case\" data-case=\"([^\"]*)\">") == std::vector<std::string>{names.front()});
  CHECK(matches_of(page, "<template data-case=\"([^\"]*)\">") ==
        std::vector<std::string>(names.begin() + 1, names.end()));
  CHECK(times_in(page, "id=\"data\"") == names.size());
  for (const std::string& name : names) {
    INFO(name);
    CHECK_THAT(table, Contains("\n" + name + " "));
    const std::string one = drawn_page(file, {"--case", name}).text;
    const std::size_t header = one.find("<header>");
    CHECK(page.find(one.substr(header, one.find("<script>", header) - header)) != std::string::npos);
    CHECK_THAT(one, !Contains("<template") && !Contains("id=\"cases\""));
  }
}

TEST_CASE("names of cases are escaped, and what a device refuses of several is in the table and the exit status") {
  const TemporaryFolder folder;
  const auto scenario = [](const std::string& more) {
    return "scenario: Cases\ndevice: tiny\nkernels:\n  k: {global: 64, local: 8, sub_group: 8, program: [compute: 1 "
           "us]}\n"
           "launches: [kernel: k]\n" +
           more +
           "cases:\n  - {name: \"a\\\"<script>alert(1)\"}\n  - {name: plain}\n"
           "  - {name: too large, set: {kernels.k.slm: 1 GiB}}\n";
  };
  const auto [page, ran] = drawn_page(folder.write("a.yaml", scenario("")));
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Contains("(case too large)"));
  CHECK_THAT(page, Contains(">refused: slm_too_large</td>") &&
                       Contains("<a href=\"#case=a%22%3Cscript%3Ealert%281%29\">") &&
                       Contains("data-case=\"a&quot;&lt;script&gt;alert") && !Contains("<script>alert"));
  CHECK(times_in(page, "<template") == 1);
  CHECK(run_gdsim({"report", (folder.path() / "a.yaml").string(), "-o", (folder.path() / "x.svg").string()}).status ==
        2);
}

TEST_CASE("cases are left out of a page that would be too long, and it says so", "[figures]") {
  const TemporaryFolder folder;
  std::string text =
      "scenario: Long\ndevice: {base: tiny, cores: 8}\nkernels:\n  k: {global: 24, local: 3, sub_group: 1, program: "
      "[compute: 1 us]}\nparameters: {n: 3000}\nlaunches:\n";
  for (int i = 0; i < 6'000; ++i) text += "  - kernel: k\n";
  text += "cases:\n";
  for (int i = 0; i < 6; ++i) text += "  - {name: c" + std::to_string(i) + "}\n";
  text.erase(text.find("parameters"), text.find("launches") - text.find("parameters"));
  const std::string page = drawn_page(folder.write("a.yaml", text)).text;
  CHECK(page.size() < 6'500'000);
  const auto left_out = matches_of(page, "<p class=\"note\">([0-9]+) of 6 cases are listed only in the table");
  REQUIRE(left_out.size() == 1);
  CHECK(std::stoul(left_out[0]) == 6 - 1 - times_in(page, "<template"));
  CHECK(times_in(page, "<a href=\"#case=") == 1 + times_in(page, "<template"));
  CHECK_THAT(page, Contains("<th scope=\"row\" class=\"name\">c5</th>"));
}

TEST_CASE("a page with --explain says what would help, in the words and numbers of `gdsim explain`") {
  const TemporaryFolder folder;
  const json explained = json::parse(run_gdsim({"explain", kVectorAdd4, "--format", "json"}).out);
  const auto [page, ran] = drawn_page(kVectorAdd4, {"--explain"});
  CHECK(ran.status == 0);
  const std::string section = page.substr(page.find("<section id=\"help\">"));
  const std::string list = section.substr(0, section.find("</section>"));
  const auto sentences = matches_of(list, "<li>([^<]*) <a href=\"#case=[a-z_0-9%A-Z]*\">Show its run.</a></li>");
  REQUIRE(sentences.size() == 3);
  std::vector<json> savings;
  for (const json& finding : explained["findings"])
    if (finding["saves_percent"] > 0) savings.push_back(finding);
  REQUIRE(savings.size() >= 3);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    std::string sentence = savings[i]["sentence"];
    CHECK(list.find("<li>" + sentences[i] + " <a ") < list.find("<table>"));
    const std::string what = savings[i]["what"];
    CHECK(times_in(page, "<template data-case=\"" + what + "\">") == 1);
    for (std::size_t at = 0; (at = sentence.find('\'', at)) != std::string::npos; at += 5)
      sentence.replace(at, 1, "&#39;");
    CHECK(sentences[i] == sentence);
  }
  CHECK(times_in(list, "<tr>") == 1 + explained["findings"].size());
  CHECK_THAT(drawn_page(kVectorAdd4).text, !Contains("id=\"help\""));
}

TEST_CASE("a page with --explain of a run that stalls says that nothing is explained, and a placeholder is refused") {
  const TemporaryFolder folder;
  const std::string stuck = source_path("tests/browser/stuck.yaml");
  const auto [page, ran] = drawn_page(stuck, {"--explain"});
  CHECK(ran.status == 3);
  CHECK_THAT(page, Contains("<p class=\"note\">What would help is not known") && !Contains("id=\"help\""));
  const std::string empty =
      folder.write("a.yaml",
                   "scenario: Empty\ndevice: tiny\nkernels:\n  k: {global: 8, local: 8, sub_group: "
                   "8, program: placeholder}\nlaunches: [kernel: k]\n");
  const Ran refused = run_gdsim({"report", empty, "--explain", "-o", (folder.path() / "x.html").string()});
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, Contains("so that there are no times"));
}

TEST_CASE("of a placeholder nothing shows a time: pages, pictures, charts and traces are refused, others have none") {
  const TemporaryFolder folder;
  const std::string one =
      folder.write("one.yaml",
                   "scenario: One\ndevice: tiny\nkernels:\n  k: {global: 64, local: 8, sub_group: 8, "
                   "program: placeholder}\nlaunches: [{kernel: k, name: a}, {kernel: k, name: b, "
                   "after: [a]}]\n");
  const auto written = [&](const char* name) { return (folder.path() / name).string(); };
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"report", one, "-o", written("x.html")},
                                             {"report", one, one, "-o", written("x.html")},
                                             {"report", one, "-o", written("x.svg")},
                                             {"run", one, "--chart"},
                                             {"run", one, "--trace", written("x.pftrace")},
                                             {"explain", one},
                                             {"sweep", one, "--vary", "local=8,16"},
                                             {"sweep", one, "--vary", "local=8,16", "--metric", "mean_occupancy"}}) {
    const Ran ran = run_gdsim(words);
    INFO(words.front() << " ... " << words.back() << ": " << ran.out << ran.err);
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Contains("the program of a kernel is a placeholder, so that there are n"));
    CHECK(ran.out.empty());
  }
  CHECK(folder.listing().find("x.") == std::string::npos);
  const std::string graph = gdsim_output({"run", one, "--print", "graph"});
  CHECK_THAT(graph, Contains("\"a\" [label=\"a\"];") && !Contains(" to "));
  const auto times = nlohmann::json::parse(gdsim_output({"run", one, "--print", "block-times"}))["times"][1];
  CHECK(times["block_smids"].size() == 8);
  CHECK(times["block_times"].size() == 16);
  for (const auto& time : times["block_times"]) CHECK(time.is_null());
  for (const auto& time : times["cuda_launch_times"]) CHECK(time.is_null());
  const std::vector<std::string> ranked{"sweep", one, "--vary", "local=8,16", "--metric", "work_groups_per_core"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), ranked.begin(), ranked.end());
    return more;
  };
  CHECK_THAT(gdsim_output(with({"--format", "csv"})), Contains("8,ok,,,") && Contains("16,ok,,,"));
  CHECK_THAT(gdsim_output(with({"--format", "json"})), !Contains("duration_ns") && !Contains("mean_occupancy"));
  for (const char* file : {"y.html", "y.svg"}) REQUIRE(run_gdsim(with({"-o", written(file)})).status == 0);
  CHECK_THAT(read_file(written("y.html")), Contains("<td>–</td>") && !Contains(" us<") && !Contains(" ms<"));
}

TEST_CASE("the option --explain is refused of a picture, and explains the run of a folder as that of its scenario") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out}).status == 0);
  const Ran of_folder = run_gdsim({"report", out, "--explain", "-o", "-"});
  CHECK(of_folder.status == 0);
  CHECK((of_folder.out == run_gdsim({"report", kVectorAdd4, "--explain", "-o", "-"}).out));
  CHECK(run_gdsim({"report", kVectorAdd4, "--explain", "-o", (folder.path() / "x.svg").string()}).status == 2);
  CHECK(folder.listing().find("x.") == std::string::npos);
}

TEST_CASE(
    "the page has every change of a small run for its animation: which work-group holds which port, and its size") {
  constexpr std::size_t columns = 11;
  for (const bool has_barrier : {false, true}) {
    INFO(has_barrier);
    const json groups = script_data(drawn_page(has_barrier ? kVectorAdd4 : kVectorAdd3).text)["groups"];
    const auto changes = groups["changes"].get<std::vector<std::uint64_t>>();
    REQUIRE(changes.size() == 18 * columns);
    CHECK(groups["ports"] == 2);
    std::map<std::uint64_t, std::uint64_t> held;  // by port: the work-group
    std::set<std::uint64_t> handed_over;
    for (std::size_t i = 0; i < changes.size(); i += columns) {
      const std::uint64_t group = changes[i + 3];
      const bool is_partial = changes[i + 8] == 1;
      const std::uint64_t where = changes[i + 9];
      CHECK(changes[i + 10] == 40);
      CHECK((where > 0) == (is_partial && changes[i + 1] != 2));
      std::erase_if(held, [&](const auto& one) { return one.second == group; });
      if (where == 1) handed_over.insert(group);
      if (where > 1) CHECK(held.emplace(where, group).second);  // no other work-group holds that port
      CHECK(held.size() <= 2);
      if (i == 5 * columns)
        CHECK(held == (has_barrier ? std::map<std::uint64_t, std::uint64_t>{}
                                   : std::map<std::uint64_t, std::uint64_t>{{2, 2}, {3, 5}}));
    }
    CHECK(held.empty());
    CHECK(handed_over == (has_barrier ? std::set<std::uint64_t>{2, 5} : std::set<std::uint64_t>{}));
  }
}

TEST_CASE("of a device without a number of ports, no work-group is said to hold one") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", read_file(kVectorAdd3) + "dispatch: {ports: unlimited}\n");
  const json groups = script_data(drawn_page(file).text)["groups"];
  CHECK(groups["ports"].is_null());
  for (std::size_t i = 9; i < groups["changes"].size(); i += 11) CHECK(groups["changes"][i] == 0);
}

TEST_CASE("several scenarios are cases of one page, each named after its file") {
  const TemporaryFolder folder;
  const std::string small = folder.write("vector_add3.yaml",
                                         "scenario: Same name\ndevice: tiny\nkernels:\n  k: {global: 8, local: 8, "
                                         "sub_group: 8, program: [compute: 1 us]}\nlaunches: [kernel: k]\n"
                                         "cases: [{name: one}, {name: two}]\n");
  const std::string two = drawn_page(kVectorAdd3, {kVectorAdd4}).text;
  CHECK_THAT(two, Contains("<div id=\"case\" data-case=\"vector_add3\">") &&
                      Contains("<template data-case=\"vector_add4\">") &&
                      Contains("Cases of <bdi>" + kVectorAdd3 + ", " + kVectorAdd4 + "</bdi>"));
  const std::string three = drawn_page(kVectorAdd3, {small}).text;
  CHECK_THAT(three, Contains("data-case=\"" + kVectorAdd3 + "\"") && Contains("data-case=\"" + small + ": one\"") &&
                        Contains("data-case=\"" + small + ": two\""));
}

TEST_CASE(
    "several scenarios on one page are read to the end: the problems of all are reported, and no picture is made") {
  const TemporaryFolder folder;
  const std::string first = folder.write("a.yaml", "scenario: A\n"), second = folder.write("b.yaml", "scenario: B\n");
  const std::string page = (folder.path() / "page.html").string();
  const Ran both = run_gdsim({"report", first, second, "-o", page});
  CHECK(both.status == 2);
  CHECK_THAT(both.err, Contains("a.yaml:1:1: error: ") && Contains("b.yaml:1:1: error: "));
  const Ran picture = run_gdsim({"report", kVectorAdd3, kVectorAdd4, "-o", (folder.path() / "x.svg").string()});
  CHECK(picture.status == 2);
  CHECK_THAT(picture.err, Contains("a picture shows one run: -o FILE.html for several"));
  const Ran of_folder = run_gdsim({"report", kVectorAdd3, folder.path().string(), "-o", page});
  CHECK(of_folder.status == 2);
  CHECK_THAT(of_folder.err, Contains("is a folder; several runs on one page are made from scenario files"));
  CHECK_FALSE(std::filesystem::exists(page));
}

TEST_CASE("the page of a persistent kernel shows the tiles of each work-group, and who has none left") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("a.yaml",
                   "scenario: Tiles\ndevice: {base: tiny, cores: 2}\nkernels:\n"
                   "  k:\n    global: 16\n    local: 8\n    sub_group: 8\n    slm: 4 KiB\n    variation: none\n"
                   "    program: [tiles: {list: work, count: 3, take: static, body: [compute: 1 us]}]\n"
                   "launches: [{kernel: k, name: <one>}]\n");
  const std::string page = drawn_page(file).text;
  CHECK_THAT(page,
             Contains("<h2>Tiles</h2>") && Contains("idle: no tile is left for this") && !Contains("rows are drawn"));
  // Work-group 0 takes two tiles, 1 takes one: 3 of 4 us on two rows.
  CHECK_THAT(page, Contains("&lt;one&gt;</th><td>3</td><td>2</td><td>1-2</td><td>1.5 us</td><td>2 us</td>") &&
                       Contains("25.0 %"));
  const json tiles = script_data(page)["tiles"];
  CHECK(tiles["tile"] == json({0, 2, 1}));
  CHECK(tiles["lasts"] == json({1'000'000, 1'000'000, 1'000'000}));
  CHECK(tiles["lists"] == json({"work"}));
  CHECK(tiles["end"] == json({2'000'000, 1'000'000}));
  CHECK(tiles["idle_until"] == json({2'000'000, 2'000'000}));
  CHECK_THAT(drawn_page(kVectorAdd4).text, !Contains("tiles-section"));
}

TEST_CASE("a page shows how near each resource is to its peak, and the run with other values of what is assumed") {
  const std::string assumed = drawn_page(kVectorAdd4).text;
  const std::string begin =
      "<th scope=\"row\" class=\"name\">dispatch.placement</th><td class=\"name\">fill_first</td>"
      "<td class=\"name\">round_robin</td><td><svg class=\"share\"";
  CHECK_THAT(assumed, Contains(begin) && Contains("</svg>10 ms</td><td>-50.0 %</td>"));
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml",
                                        "scenario: Speed\ndevice: a100-80gb\nkernels:\n"
                                        "  k: {global: 1048576, local: 256, sub_group: 32, registers: 32, program: "
                                        "[memory: 4 KiB, compute: 1 us]}\nlaunches: [kernel: k]\n");
  const std::string page = drawn_page(file).text;
  const json summary = json::parse(run_gdsim({"run", file, "--print", "summary"}).out);
  REQUIRE(!summary["speed_of_light"]["memory"].empty());
  for (const json& level : summary["speed_of_light"]["memory"]) {
    const auto percent = level["percent"].get<double>();
    CHECK_THAT(page, Contains(level["level"].get<std::string>()) && Contains(fmt::format("</svg>{:.1f} %", percent)));
  }
}

TEST_CASE("cases and devices of one name have different addresses on a page") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml",
                                        "scenario: Names\ndevices: {all devices: tiny, b: tiny}\nkernels:\n"
                                        "  k: {global: 64, local: 16, sub_group: 8, program: [compute: 1 us]}\n"
                                        "launches: [{kernel: k, device: each}]\n");
  const std::string page = drawn_page(file).text;
  CHECK_THAT(page, Contains("data-case=\"all devices\"") && Contains("data-case=\"all devices (2)\"") &&
                       Contains("href=\"#case=all%20devices%20%282%29\"") && Contains("data-case=\"b\""));
  CHECK(times_in(page, "data-case=\"all devices\"") == 1);
}
