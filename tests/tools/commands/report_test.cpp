#include "support/builders.hpp"
#include "support/golden.hpp"
#include "support/markup.hpp"
#include "support/matches.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <regex>

using namespace gdsim::testing;

namespace {
/// The file that `gdsim report INPUT -o page.EXTENSION` writes.
std::string report(const std::string& input, const std::string& extension = "html",
                   const std::vector<std::string>& more = {}) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / ("page." + extension)).string();
  std::vector<std::string> words{"report", input, "-o", file};
  words.insert(words.end(), more.begin(), more.end());
  const Ran ran = run_gdsim(words);
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  CHECK((ran.out + ran.err).empty());
  CHECK(folder.listing() == "page." + extension);
  return read_file(file);
}

/// A scenario on a device of this many cores whose work-groups of three threads all last differently.
std::string many_groups(std::uint64_t cores, std::uint64_t groups, const std::string& title = "Many") {
  std::string factors;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(groups, 3000); ++i)
    factors += (i > 0 ? ", " : "") + std::to_string(i) + ": 1." + std::to_string(1000 + i * 7919 % 9000);
  return "scenario: " + title + "\ndevice: {base: tiny, cores: " + std::to_string(cores) +
         "}\nkernels:\n  k:\n    global: " + std::to_string(groups * 24) +
         "\n    local: 24\n    sub_group: 8\n    program: [compute: 10 us, barrier, compute: 1 us]\n    variation: "
         "{work_groups: {" +
         factors + "}}\nlaunches:\n  - kernel: k\n";
}

/// Takes out what stands between two texts.
void cut(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from) + from.size();
  text.erase(begin, text.find(to, begin) - begin);
}

}  // namespace

TEST_CASE("figures of the device have a line at each change of the clock, also of a run that is over") {
  const std::string scenario = source_path("scenarios/clock_drop.yaml");
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string();
  REQUIRE(run_gdsim({"run", scenario, "--case", "bandwidth", "-o", run}).status == 0);
  for (const std::string extension : {"html", "svg"})
    for (const std::string& page :
         {report(scenario, extension, {"--case", "bandwidth"}), report(run + "/bandwidth", extension)}) {
      CHECK_THAT(page, Catch::Contains("the clock changes<"));
      // From the top of the whole axis to 0, at half of the time: of the device, and of where its time goes.
      const std::regex line("<path class=\"clock\" d=\"M4[0-9]{6} 0V8448\"/>");
      CHECK(std::distance(std::sregex_iterator(page.begin(), page.end(), line), std::sregex_iterator()) == 2);
    }
  CHECK(report(source_path("scenarios/vector_add4.yaml"), "svg").find("class=\"clock\"") == std::string::npos);
}

TEST_CASE("axes show the whole device, unless those of a run that holds little of it may end above that") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml",
                                        "scenario: Small\ndevice: a100-80gb\nkernels:\n  k: {global: 8192, local: 128, "
                                        "sub_group: 32, program: [compute: 10 us]}\nlaunches: [kernel: k]\n");
  const std::string part = report(file, "svg", {"--scale", "fits"});
  CHECK_THAT(part, Catch::Contains(">5 %</text>") && Catch::Contains("viewBox=\"0 6566 10000000 346\""));
  CHECK_THAT(report(file, "svg"), Catch::Contains(">100 %</text>") && !Catch::Contains("viewBox=\"0 6566"));
  CHECK_THAT(report(file), Catch::Contains("\"shown\":346,\"scale\":\"device\"") &&
                               Catch::Contains("<div class=\"right\" data-scale=\"fits\" hidden"));
  CHECK_THAT(report(file, "html", {"--scale", "fits"}),
             Catch::Contains("\"shown\":346,\"scale\":\"fits\"") &&
                 Catch::Contains("<div class=\"right\" data-scale=\"device\" hidden"));
  CHECK(run_gdsim({"report", file, "-o", (folder.path() / "x.svg").string(), "--scale", "half"}).status == 2);
}

TEST_CASE("golden: the report of a run, but for the files that it has built in") {
  std::string page = report(kVectorAdd4);
  cut(page, "<style>\n", "</style>");
  cut(page, "<script>\n", "</script>\n<script>");
  cut(page, "</script>\n<script>\n", "</script>\n</body>");
  CHECK(difference_to_golden("report/vector_add4.html", without_hashes(page)).empty());
}

TEST_CASE("a report shows its phases, its limits, where time went and its scenario in plain HTML") {
  const std::string page = report(kVectorAdd4);
  for (const std::string label :
       {"<b>304<i> threads</i></b><i> · </i><b>45.2 %</b>", "<b>264<i> threads</i></b><i> · </i><b>39.3 %</b>",
        "<b>80<i> threads</i></b><i> · </i><b>11.9 %</b>"})
    CHECK_THAT(page, Catch::Contains(label));
  CHECK_THAT(page, Catch::Contains("vector_add4: 2560") || Catch::Contains("global: 2560"));
  CHECK_THAT(page, Catch::Contains("thread contexts</td><td>2</td><td>◀ limits"));
  // (240 x 8 ms + 200 x 2 ms + 80 x 10 ms) of 672 x 20 ms.
  CHECK_THAT(page, Catch::Contains("that execute, without contention</th><td>23.21 %") &&
                       Catch::Contains("that wait at a barrier</th><td>4.76 %"));
  CHECK(times_in(page, "<figure") == 10);  // device, 6 lanes, work-groups, launches
  CHECK(times_in(page, "<title id=") == 10);
  CHECK(times_in(page, "<desc id=") == 10);
}

TEST_CASE("a report is one file that asks for nothing, and small") {
  const std::string page = report(kVectorAdd4);
  CHECK(page.size() < 300'000);
  CHECK_THAT(page, Catch::Contains("default-src 'none'"));
  for (const std::string reference : {"src=", "@import", "url(http", "rel=\"stylesheet"})
    CHECK(page.find(reference) == std::string::npos);
  CHECK(times_in(page, "href=\"") == times_in(page, "href=\"data:,\""));
  CHECK(report(kVectorAdd4) == page);
}

TEST_CASE("the markup of reports and pictures is balanced") {
  const TemporaryFolder folder;
  CHECK(fault_of_markup(report(kVectorAdd4)).empty());
  CHECK(fault_of_markup(report(kVectorAdd4, "svg")).empty());
  CHECK(fault_of_markup(report(folder.write("a.yaml", many_groups(132, 300)))).empty());
  CHECK_FALSE(fault_of_markup("<p><b></p>").empty());
  CHECK_FALSE(fault_of_markup("<p>a & b</p>").empty());
  CHECK_FALSE(fault_of_markup("<p title=\"a\" b\"></p>").empty());
}

TEST_CASE("hostile names change nothing but themselves") {
  const TemporaryFolder folder;
  const auto page_with = [&](const std::string& name) {
    std::string text = read_file(kVectorAdd4);
    text.erase(text.find("expect:"));
    text = std::regex_replace(text, std::regex("scenario: .*"), "scenario: \"TITLE\"");
    text = std::regex_replace(text, std::regex("- kernel: vector_add4"), "- {kernel: vector_add4, name: \"NAME\"}");
    for (const std::string place : {"TITLE", "NAME"}) text.replace(text.find(place), place.size(), name);
    const std::string file = folder.write("hostile.yaml", text);
    for (const std::string extension : {"html", "svg"}) {
      const std::string page = report(file, extension);
      INFO(fault_of_markup(page));
      CHECK(fault_of_markup(page).empty());
    }
    return report(file);
  };
  const std::string plain = page_with("plain");
  const std::vector<std::string> names{"</script><script>alert(1)</script>", "<!-- <svg onload=alert(1)>",
                                       "' onload='x", "😀 \xE2\x80\xAE gnp.exe", std::string(10'240, 'x')};
  for (const std::string& name : names) {
    const std::string page = page_with(name);
    CHECK(times_in(page, "<script") == times_in(plain, "<script"));
    CHECK(times_in(page, "<figure") == times_in(plain, "<figure"));
    // In text, or in the data of the script.
    CHECK(times_in(page, "onload=alert") ==
          times_in(page, "&lt;svg onload=alert") + times_in(page, "\\u003csvg onload=alert"));
  }
  CHECK_THAT(page_with("\\\"><img src=x>"), !Catch::Contains("<img"));
  CHECK_THAT(page_with(std::string(10'240, 'x')), Catch::Contains("<div class=\"long\" tabindex=\"0\">xxx"));
  CHECK_THAT(page_with("a name longer than its place"), Catch::Contains("title=\"a name longer than its place\""));
  CHECK_THAT(plain, !Catch::Contains("class=\"long\""));
}

TEST_CASE("a name of 10 KB that every work-group has does not make the page large") {
  const TemporaryFolder folder;
  std::string text = many_groups(8, 1'000);
  text.replace(text.find("  - kernel: k"), 13, "  - {kernel: k, name: " + std::string(10'240, 'x') + "}");
  CHECK(report(folder.write("a.yaml", text)).size() < 2'000'000);
}

TEST_CASE("times are written as in the terminal, with all digits for the pointer") {
  const TemporaryFolder folder;
  const std::string page =
      report(folder.write("a.yaml",
                          "scenario: Odd\ndevice: tiny\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: "
                          "[compute: 12339595.481 ns]}\nlaunches: [kernel: k]\n"));
  CHECK_THAT(page, Catch::Contains("<dd title=\"12339595.481 ns\">12.34 ms</dd>") &&
                       Catch::Contains("<td title=\"12339595.481 ns\">12.34 ms</td>"));
}

TEST_CASE("legends list what occurs, and nothing else") {
  const TemporaryFolder folder;
  const std::string full = report(kVectorAdd4);
  for (const std::string entry :
       {"running", "stalled: at a barrier, or ended and held", "stalled at a barrier", "placed in part", "capacity"})
    CHECK_THAT(full, Catch::Contains("</i>" + entry + "</span>"));
  CHECK_THAT(full, !Catch::Contains("</i>ready, not begun</span>") && !Catch::Contains("</i>a copy passes</span>"));
  const std::string text =
      "scenario: Plain\ndevice: tiny\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
      "launches: [kernel: k]\n";
  const std::string plain = report(folder.write("a.yaml", text));
  CHECK_THAT(plain, Catch::Contains("</i>running</span>") && !Catch::Contains("</i>stalled: ") &&
                        !Catch::Contains("</i>stalled at a barrier</span>") &&
                        !Catch::Contains("</i>placed in part</span>") &&
                        !Catch::Contains("</i>being dispatched</span>"));
}

TEST_CASE("a picture says what its shades and axes mean") {
  const std::string picture = report(kVectorAdd4, "svg");
  for (const std::string words : {">threads<", ">running<", ">stalled: at a barrier, or ended and held<", ">capacity<"})
    CHECK_THAT(picture, Catch::Contains(words));
  const TemporaryFolder folder;
  CHECK_THAT(report(folder.write("a.yaml", many_groups(132, 300)), "svg"), Catch::Contains(">all contexts held<"));
}

TEST_CASE("the page of a run that stalled says why, and so does that of its folder") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("stuck.yaml",
                   "scenario: Stuck\ndevice: tiny\nkernels:\n  k: {global: 64, local: 32, sub_group: 8, program: "
                   "[compute: 1 us, wait: \"<never>&\"]}\nlaunches: [kernel: k]\n");
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", file, "-o", out}).status == 3);
  const Ran ran = run_gdsim({"report", file, "-o", (folder.path() / "a.html").string()});
  CHECK(ran.status == 3);
  CHECK_THAT(ran.err, Catch::Contains("Stuck deadlocked: nothing can happen any more"));
  REQUIRE(run_gdsim({"report", out, "-o", (folder.path() / "b.html").string()}).status == 3);
  const std::string page = read_file(folder.path() / "a.html");
  CHECK(fault_of_markup(page).empty());
  CHECK_THAT(page,
             Catch::Contains("<h2>Why it deadlocked</h2>") && Catch::Contains("signals &#39;&lt;never&gt;&amp;&#39;"));
  // The place of a step is named by its file.
  CHECK((std::regex_replace(read_file(folder.path() / "b.html"), std::regex("scenario_as_run.yaml:"), "stuck.yaml:") ==
         page));
}

TEST_CASE("cores stay visible when they are empty: as lanes up to 8, as a heat map beyond") {
  const TemporaryFolder folder;
  const std::string eight = report(folder.write("a.yaml", many_groups(8, 1)));
  CHECK(times_in(eight, "Stays empty.") == 7);
  CHECK(eight.find("id=\"heat\"") == std::string::npos);
  const std::string nine = report(folder.write("a.yaml", many_groups(9, 1)));
  CHECK_THAT(nine, Catch::Contains("id=\"heat\"") && Catch::Contains("<span style=\"top:94.444%\">core 8</span>"));
  CHECK(nine.find("id=\"core-0\"") == std::string::npos);
}

TEST_CASE("work-groups that change too often are not drawn one by one") {
  const TemporaryFolder folder;
  const auto page = [&](std::uint64_t groups) { return report(folder.write("a.yaml", many_groups(8, groups))); };
  const std::string drawn = page(2'000);
  CHECK_THAT(drawn, Catch::Contains("id=\"groups\""));
  const std::string often = page(4'000);
  CHECK_THAT(often, !Catch::Contains("id=\"groups\"") && Catch::Contains("they change too often"));
  CHECK(drawn.size() < 2'000'000);
}

TEST_CASE("a device of a hundred thousand cores gives a page below 2 MB", "[figures]") {
  const TemporaryFolder folder;
  const std::string page = report(folder.write("a.yaml", many_groups(100'000, 2'000)));
  CHECK(page.size() < 2'000'000);
  CHECK(fault_of_markup(page).empty());
  CHECK_THAT(page, Catch::Contains("id=\"heat\"") && Catch::Contains("every 391 cores") &&
                       Catch::Contains("2000 work-groups are not drawn one by one: 100000 cores are too many."));
}

TEST_CASE("a million work-groups give a page below 2 MB, in bins", "[figures]") {
  const TemporaryFolder folder;
  const std::string page = report(folder.write("a.yaml", many_groups(132, 1'000'000)));
  CHECK(page.size() < 2'000'000);
  CHECK_THAT(page, Catch::Contains("\"binned\":true") && Catch::Contains("class=\"most\"") &&
                       Catch::Contains("too many to draw one by one") &&
                       Catch::Contains("what a bin holds at least is in full colour") &&
                       Catch::Contains("</i>from the mean to the most of a bin</span>"));
  CHECK_THAT(report(kVectorAdd4), !Catch::Contains("id=\"bins\"") && !Catch::Contains("of a bin"));
}

TEST_CASE("a map of cores carries what each core held, unless a row stands for several") {
  const TemporaryFolder folder;
  CHECK_THAT(report(folder.write("a.yaml", many_groups(9, 2))),
             Catch::Contains("\"time\":[\"0.000\",\"12100.000\",\"20810.900\"],\"steps\":[[0,6,1,3,2,0],[0,0],[0,0],"));
  CHECK_THAT(report(folder.write("a.yaml", many_groups(300, 2))),
             Catch::Contains("\"heat\":{\"cores\":300,\"per_row\":2,\"rows\":150") && !Catch::Contains("\"steps\""));
}

TEST_CASE("the report of a folder is that of the scenario, byte for byte, but for how a change is written") {
  const TemporaryFolder folder;
  const std::vector<std::vector<std::string>> runs{
      {kVectorAdd4},
      {kVectorAdd4, "--set", "dispatch.ports=3"},
      {source_path("scenarios/vector_add3.yaml")},
      {source_path("scenarios/host_time.yaml")},
      {source_path("scenarios/copy_overlap.yaml"), "--case", "with_latency"},
      {source_path("scenarios/child_kernels.yaml"), "--case", "parents_go_on"},
      {folder.write("many.yaml", many_groups(12, 300, "\"\\x7F'<\\u0085 \U0001F600\\uFFFE\""))}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    INFO(runs[i].front());
    std::string out = (folder.path() / std::to_string(i)).string();
    std::vector<std::string> words{"run"};
    words.insert(words.end(), runs[i].begin(), runs[i].end());
    words.insert(words.end(), {"-o", out});
    REQUIRE(run_gdsim(words).status == 0);
    if (runs[i].size() > 2 && runs[i][1] == "--case") out += "/" + runs[i][2];
    const std::string from_scenario = report(runs[i].front(), "html", {runs[i].begin() + 1, runs[i].end()});
    CHECK((report(out) ==
           std::regex_replace(from_scenario, std::regex("--set dispatch.ports=3"), "--set dispatch.ports = 3")));
  }
}

TEST_CASE("a folder that is named by a link finds the files of its scenario") {
  const TemporaryFolder folder;
  folder.write("scenarios/own.yaml", "base: tiny\ndevice: own\nname: My own\ncores: 3\n");
  const std::string file = folder.write("scenarios/a.yaml",
                                        "scenario: Linked\ndevice: ./own.yaml\nkernels: {k: {global: 64, local: 8, "
                                        "sub_group: 8, program: [compute: 10 us]}}\nlaunches: [kernel: k]\n");
  const std::filesystem::path out = folder.path() / "results" / "deep" / "out";
  REQUIRE(run_gdsim({"run", file, "-o", out.string()}).status == 0);
  const std::filesystem::path link = folder.path() / "link";
  std::filesystem::create_directory_symlink(out, link);
  CHECK_THAT(report(link.string()), Catch::Contains("<bdi>My own</bdi>"));
}

TEST_CASE("the folder of several devices that ran together is reported as their scenario is") {
  const TemporaryFolder folder;
  const std::string file = folder.write("two.yaml",
                                        "scenario: Two\ndevices: {one: tiny, other: tiny}\nkernels:\n"
                                        "  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
                                        "launches: [{kernel: k, device: one}, {kernel: k, device: other}]\n");
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", file, "-o", out}).status == 0);
  const std::string page = report(out);
  CHECK_THAT(page, Catch::Contains("other"));
  CHECK((page == report(file)));
}

TEST_CASE("a folder without its summary or its scenario is refused, and so is one whose summary says no end") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string(), page = (folder.path() / "page.html").string();
  const auto refused = [&](const std::string& why) {
    const Ran ran = run_gdsim({"report", out, "-o", page});
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Catch::Contains(why));
    CHECK_FALSE(std::filesystem::exists(page));
  };
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out}).status == 0);
  folder.write("out/summary.json", "{\"outcome\": \"finished\", \"end_ns\": 1}");
  refused("summary.json: error: is not what gdsim wrote: it has no outcome and end_ns");
  std::filesystem::remove(out + "/scenario_as_run.yaml");
  refused(out + " has no scenario_as_run.yaml");
  std::filesystem::remove(out + "/summary.json");
  refused(out + " has no summary.json");
  CHECK(run_gdsim({"report", (folder.path() / "nothing").string(), "-o", page}).status == 2);
}

TEST_CASE("a folder that another version wrote says which, and that its run ends otherwise now") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out}).status == 0);
  const std::string summary = read_file(out + "/summary.json");
  const std::string version = "\"gdsim_version\": \"";
  REQUIRE(summary.find(version) != std::string::npos);
  CHECK(run_gdsim({"report", out, "-o", "-"}).err.empty());
  folder.write("out/summary.json", std::regex_replace(summary, std::regex(version + "[^\"]*"), version + "0.1.7"));
  CHECK_THAT(run_gdsim({"report", out, "-o", "-"}).err,
             Catch::Contains(out + " was written by gdsim 0.1.7; gdsim ") && !Catch::Contains("now it ends"));
  // Versions before 0.4.0 did not write theirs.
  folder.write("out/summary.json", std::regex_replace(summary, std::regex(",\n *" + version + "[^\"]*\""), ""));
  CHECK_THAT(run_gdsim({"report", out, "-o", "-"}).err, Catch::Contains("a version of gdsim that did not say which"));
  folder.write("out/scenario_as_run.yaml", std::regex_replace(read_file(out + "/scenario_as_run.yaml"),
                                                              std::regex("compute: 10 ms"), "compute: 9 ms"));
  CHECK_THAT(run_gdsim({"report", out, "-o", "-"}).err,
             Catch::Contains(out + " says that its run ended at 20 ms, and now"));
}

TEST_CASE("a folder whose scenario names files is reported from anywhere, and by the paths of that scenario") {
  const TemporaryFolder folder;
  folder.write("in/factors.csv", "work_group,factor\n0,2\n");
  const std::string file = folder.write(
      "in/s.yaml",
      "scenario: Named\ndevice: tiny\nkernels:\n  k: {global: 16, local: 8, sub_group: 8, program: [compute: 1 "
      "us], variation: {work_groups: factors.csv}}\nlaunches: [kernel: k]\n");
  const std::string out = (folder.path() / "results/out").string();
  REQUIRE(run_gdsim({"run", file, "-o", out}).status == 0);
  CHECK_THAT(read_file(out + "/summary.json"), Catch::Contains("\"scenario_folder\": \"../../in\""));
  CHECK((run_gdsim({"report", out, "-o", "-"}).out == run_gdsim({"report", file, "-o", "-"}).out));
}

TEST_CASE("of a folder with several cases, each can be shown, and all are named") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", source_path("scenarios/vector_add2.yaml"), "-o", out}).status == 0);
  const Ran ran = run_gdsim({"report", out, "-o", (folder.path() / "x.html").string()});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("is the folder of several runs") && Catch::Contains("name one of them: ") &&
                          Catch::Contains(out + "/n44"));
  CHECK_THAT(report(out + "/n44"), Catch::Contains("672 threads"));
  const Ran whole = run_gdsim({"report", source_path("scenarios/vector_add2.yaml"), "-o", "x.svg"});
  CHECK_THAT(whole.err, Catch::Contains("a picture needs --case NAME") && Catch::Contains("n44"));
}

TEST_CASE("launches show what they waited for, their slack, and which of them decide the end") {
  const std::string page = report(source_path("scenarios/copy_overlap.yaml"), "html", {"--case", "three_way_overlap"});
  CHECK(fault_of_markup(page).empty());
  CHECK_THAT(page, Catch::Contains("Critical path: <bdi>in3</bdi> → <bdi>work3</bdi> → <bdi>out3</bdi>.") &&
                       Catch::Contains("<span style=\"top:79.167%\">◆ in3</span>") &&
                       Catch::Contains("in3 (copy of 1000000 B to the device): from 3 ms to 4 ms; critical; waited for "
                                       "other launches 3 ms") &&
                       Catch::Contains("class=\"after critical\"") && Catch::Contains("class=\"copy\"") &&
                       Catch::Contains("launches before it 1 ms</td>") && Catch::Contains("◆ critical</td>"));
  CHECK(times_in(page, "path class=\"edge\"") == 3);
  CHECK(times_in(report(kVectorAdd4), "path class=\"edge\"") == 0);
}

TEST_CASE("bars of what had not ended when a run was interrupted are torn at the end") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const std::string scenario = source_path("scenarios/copy_overlap.yaml");
  REQUIRE(run_gdsim({"run", scenario, "--case", "no_overlap", "--max-time", "1.5 ms", "-o", out}).status == 0);
  const std::string page = run_gdsim({"report", out + "/no_overlap", "-o", "-"}).out;
  CHECK(fault_of_markup(page).empty());
  CHECK(times_in(page, "path class=\"open\"") == 3);  // two work-groups and their launch
  CHECK_THAT(page, Catch::Contains("0 of 8 ended") && Catch::Contains("work0 (work): from 1 ms, had not ended") &&
                       Catch::Contains("out0 (copy of 1000000 B to the host), had not begun"));
  CHECK(times_in(report(kVectorAdd4), "path class=\"open\"") == 0);
}

TEST_CASE("a report needs a place to go, and one run") {
  CHECK(run_gdsim({"report", kVectorAdd4}).status == 2);
  CHECK(run_gdsim({"report", kVectorAdd4, "-o", ""}).status == 2);
  CHECK(run_gdsim({"report", source_path("scenarios/vector_add2.yaml"), "-o", "x.svg"}).status == 2);
  CHECK(run_gdsim({"report", kVectorAdd4, "-o", "/nowhere/x.html"}).status == 2);
  CHECK_THAT(report(source_path("scenarios/vector_add2.yaml"), "html", {"--case", "n44", "--set", "dispatch.ports=3"}),
             Catch::Contains("--set dispatch.ports=3") && Catch::Contains("672 threads"));
}
