#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

// Tables, pages and commands of scenarios with several devices.

using namespace gdsim::testing;
using Catch::Contains;

namespace {

const std::string kKernelsOfTables =
    "kernels:\n"
    "  k: {global: 640, local: 8, sub_group: 1, slm: 1 KiB, program: [compute: 30 ns, barrier, compute: 5 ns]}\n"
    "  m: {global: 96, local: 4, sub_group: 1, program: [loop: {count: 3, body: [compute: 7 ns]}]}\n";
const std::string kLink = "links: [{between: [x, y], bandwidth: 1 GB/s, latency: 1 us}]\n";

std::string scenario_on(const std::string& devices, const std::string& launches) {
  return "scenario: S\n" + devices + "\n" + kKernelsOfTables + "launches: [" + launches + "]\n";
}

const std::string kApart =
    scenario_on("devices: {x: {base: tiny, cores: 3}, y: tiny}",
                "{kernel: k, device: x}, {kernel: m, device: y}, {kernel: k, name: n, device: y}");

/// The rows of a device, without the column `device`.
std::string rows_of(const std::string& table, const std::string& device) {
  std::string rows;
  for (const std::string& line : lines_of(table)) {
    const std::size_t comma = line.rfind(',');
    if (line.substr(comma + 1) == device || line.substr(comma + 1) == "device") rows += line.substr(0, comma) + "\n";
  }
  return rows;
}

const std::vector<std::string> kTables{"timeline.csv", "cores.csv",    "phases.csv",       "work_groups.csv",
                                       "kernels.csv",  "launches.csv", "group_states.csv", "time_use.csv"};

/// launches.csv without `critical`, which is of the whole run.
std::string without_critical(const std::string& table) {
  std::string text;
  for (std::string line : lines_of(table)) {
    for (const std::string word : {",true,", ",false,"})
      if (const auto place = line.find(word); place != std::string::npos) line.replace(place, word.size(), ",");
    text += line + "\n";
  }
  return text;
}

std::string out_of(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  const std::string out = (folder.path() / name).string();
  const Ran ran = run_gdsim({"run", folder.write(name + ".yaml", text), "-o", out});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  return out;
}

}  // namespace

TEST_CASE("devices that do not wait for each other write the rows of runs alone") {
  const TemporaryFolder folder;
  const std::string both = out_of(folder, "both", kApart);
  const std::string x = out_of(folder, "x", scenario_on("device: {base: tiny, cores: 3}", "{kernel: k}"));
  const std::string y = out_of(folder, "y", scenario_on("device: tiny", "{kernel: m}, {kernel: k, name: n}"));
  for (const std::string& table : kTables) {
    INFO(table);
    const std::string all = read_file(both + "/" + table);
    CHECK(without_critical(rows_of(all, "x")) == without_critical(read_file(x + "/" + table)));
    CHECK(without_critical(rows_of(all, "y")) == without_critical(read_file(y + "/" + table)));
  }
}

TEST_CASE("the order of the devices in the file changes only the order of rows") {
  const TemporaryFolder folder;
  const std::string launches =
      "{kernel: k, device: x}, {kernel: m, device: y, after: [k]}, {copy: {bytes: 1 KiB, from: y, to: x}, after: [m]}, "
      "{kernel: k, name: n, device: x, after: [copy]}";
  const std::string one =
      out_of(folder, "one", scenario_on("devices: {x: tiny, y: {base: tiny, cores: 1}}\n" + kLink, launches));
  const std::string two =
      out_of(folder, "two", scenario_on("devices: {y: {base: tiny, cores: 1}, x: tiny}\n" + kLink, launches));
  for (const std::string& table : kTables) {
    INFO(table);
    for (const std::string device : {"x", "y"})
      CHECK(rows_of(read_file(one + "/" + table), device) == rows_of(read_file(two + "/" + table), device));
  }
}

TEST_CASE("the summary has the totals and the summary of each device") {
  const TemporaryFolder folder;
  const std::string file = folder.write("s.yaml", kApart);
  const std::string summary = gdsim_output({"run", file, "--print", "summary"});
  CHECK_THAT(summary, Contains("\"work_groups_total\": 184"));
  CHECK_THAT(summary, Contains("\"devices\": {\n    \"x\": {"));
  CHECK_THAT(summary, Contains("\n    \"y\": {"));
}

TEST_CASE("text is a table by device, and chart and page show each device under its name") {
  const TemporaryFolder folder;
  const std::string file = folder.write("s.yaml", kApart);
  const std::string text = gdsim_output({"run", file});
  CHECK_THAT(text, Contains("2 devices: completed after") && Contains("\ndevice  launches") && Contains("\nx  ") &&
                       Contains("\ny  ") && !Contains("--- x ---"));
  CHECK_THAT(gdsim_output({"run", file, "--chart"}), Contains("--- y ---"));
  const std::string page = (folder.path() / "p.html").string();
  gdsim_output({"report", file, "-o", page});
  CHECK_THAT(read_file(page), Contains(">x<") && Contains(">y<"));
  CHECK_THAT(gdsim_output({"run", file, "--sample", "100 ns"}), Contains(",device\n") && Contains(",y\n"));
}

TEST_CASE("a trace has tracks for each device") {
  const TemporaryFolder folder;
  const std::string trace = (folder.path() / "t.pftrace").string();
  gdsim_output({"run", folder.write("s.yaml", kApart), "--trace", trace});
  CHECK_THAT(read_file(trace), Contains(": x: S") && Contains(": y: S"));
}

TEST_CASE("expectations of several devices are checked") {
  const TemporaryFolder folder;
  const std::string base =
      scenario_on("devices: {x: tiny, y: tiny}", "{kernel: m, device: x}, {kernel: m, name: n, device: y, after: [m]}");
  const std::string duration = "expect: [{outcome: completed}, {launches: {n: {start: ";
  CHECK(run_gdsim({"check", folder.write("a.yaml", base + duration + "126 ns}}}]\n")}).status == 0);
  CHECK(run_gdsim({"check", folder.write("b.yaml", base + duration + "127 ns}}}]\n")}).status == 1);
}

TEST_CASE("commands for one device refuse several") {
  const TemporaryFolder folder;
  const std::string file = folder.write("s.yaml", kApart);
  const std::string measured = folder.write("t.csv", "time_us,occupancy\n0,50\n1,20\n");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"compare", file, "--measured", measured}, {"run", file, "--print", "block-times"}}) {
    INFO(words.front());
    const Ran ran = run_gdsim(words);
    INFO(ran.out << ran.err);
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Contains("several devices") || Contains("is of one device"));
  }
}

TEST_CASE("diff compares devices of the same name") {
  const TemporaryFolder folder;
  const std::string both = "devices: {x: tiny, y: tiny}";
  const std::string one = folder.write("a.yaml", scenario_on(both, "{kernel: m, device: x}, {kernel: k, device: y}"));
  const std::string two = folder.write("b.yaml", scenario_on(both, "{kernel: m, device: y}, {kernel: k, device: x}"));
  const std::string text = gdsim_output({"diff", one, two});
  CHECK_THAT(text, Contains("--- x ---\n") && Contains("\n--- y ---\n"));
  const std::string alone_m = folder.write("m.yaml", scenario_on("device: tiny", "{kernel: m}"));
  const std::string alone_k = folder.write("k.yaml", scenario_on("device: tiny", "{kernel: k}"));
  const std::string alone = gdsim_output({"diff", alone_m, alone_k});
  const auto duration_line = [](const std::string& of) {
    for (const std::string& line : lines_of(of))
      if (line.find("duration") != std::string::npos) return line;
    return std::string("none");
  };
  CHECK(duration_line(text) == duration_line(alone));
  CHECK(run_gdsim({"diff", one, two, "--fail-if", "duration > 1 %"}).status == 0);
  CHECK_THAT(gdsim_refusal({"diff", one, two, "--format", "csv"}), Contains("files of a diff are of one device"));
  CHECK_THAT(gdsim_refusal({"diff", one, alone_m}), Contains("the runs have different devices"));
}

TEST_CASE("a diff speaks of threads as its devices do, and its files as files do") {
  const TemporaryFolder folder;
  const auto scenario = [](const std::string& of_x, const std::string& local) {
    return "scenario: S\ndevices: {x: " + of_x + ", y: h100-sxm}\nkernels: {k: {global: 65536, local: " + local +
           ", sub_group: 32, program: [compute: 1 us]}}\nlaunches: [{kernel: k, device: each}]\n";
  };
  const std::string a = folder.write("a.yaml", scenario("a100-80gb", "256"));
  const std::string b = folder.write("b.yaml", scenario("a100-80gb", "1024"));
  const std::string text = gdsim_output({"diff", a, b});
  CHECK_THAT(text, Contains("\n  warps  ") && !Contains("threads"));
  const std::string alone = folder.write("c.yaml",
                                         "scenario: S\ndevice: a100-80gb\nkernels: {k: {global: 65536, local: "
                                         "256, sub_group: 32, program: [compute: 1 us]}}\nlaunches: [kernel: "
                                         "k]\n");
  const Ran files = run_gdsim({"diff", alone, alone, "--set", "local=512", "--format", "csv"});
  CHECK_THAT(files.out, Contains("\nrun,threads,count,"));
  const Ran folders = run_gdsim({"diff", out_of(folder, "o", kApart), out_of(folder, "p", kApart)});
  CHECK(folders.status == 0);
  CHECK_THAT(folders.out, Contains("--- x ---\n") && Contains("\n--- y ---\n"));
  CHECK_THAT(gdsim_output({"help", "diff"}), Contains("Of several devices it writes text"));
}

TEST_CASE("a picture shows several devices below each other, on one axis of time") {
  const TemporaryFolder folder;
  const std::string late = scenario_on("devices: {x: {base: tiny, cores: 3}, y: tiny}",
                                       "{kernel: k, device: x}, {kernel: m, device: y, at: 1 us}");
  const std::string picture = (folder.path() / "p.svg").string();
  gdsim_output({"report", folder.write("s.yaml", late), "-o", picture});
  const std::string text = read_file(picture);
  CHECK_THAT(text, Contains(">x: Tiny (for teaching)<") && Contains(">y: Tiny (for teaching)<"));
  std::vector<std::string> times;  // of each device's axis
  for (auto at = text.find(">0 us<"); at != std::string::npos; at = text.find(">0 us<", at + 1))
    times.push_back(text.substr(at, 200));
  CHECK(times.size() == 2);
}

TEST_CASE("a file with several devices may expect that one of them refuses a kernel") {
  const TemporaryFolder folder;
  const std::string wide =
      scenario_on("devices: {x: tiny, y: tiny}", "{kernel: k, device: x}, {kernel: big, device: y}");
  const std::string kernel = "  big: {global: 4096, local: 4096, sub_group: 1, program: [compute: 1 ns]}\n";
  std::string text = wide;
  text.insert(text.find("launches:"), kernel);
  CHECK(run_gdsim({"check", folder.write("a.yaml", text + "expect: [{error: work_group_too_large}]\n")}).status == 0);
  CHECK(run_gdsim({"check", folder.write("b.yaml", text)}).status == 2);
  const Ran ran = run_gdsim({"check", folder.write("c.yaml", wide + "expect: [{error: work_group_too_large}]\n")});
  CHECK(ran.status != 0);
}

TEST_CASE("each device has a graph of its own name, and its page counts only its own launches") {
  const TemporaryFolder folder;
  const std::string file = folder.write("s.yaml", kApart);
  const std::string dot = gdsim_output({"run", file, "--print", "graph"});
  CHECK_THAT(dot, Contains("digraph \"x\" {") && Contains("digraph \"y\" {"));
  const std::string page = (folder.path() / "p.html").string();
  gdsim_output({"report", file, "-o", page});
  std::size_t tables = 0;
  const std::string text = read_file(page);
  for (auto at = text.find("<table id=\"kernels"); at != std::string::npos;
       at = text.find("<table id=\"kernels", at + 1)) {
    ++tables;
    CHECK_THAT(text.substr(at, text.find("</table>", at) - at),
               !Contains("copies to the device") && !Contains("other devices"));
  }
  CHECK(tables == 3);  // of all devices together, and of each
}

TEST_CASE("explain changes one thing on all devices at once, and what connects them") {
  const TemporaryFolder folder;
  const std::string text =
      scenario_on("devices: {x: tiny, y: tiny}\n" + kLink,
                  "{kernel: k, device: each}, {collective: {kind: all_reduce, bytes: 1 MiB, work_groups: 1, local: 1}, "
                  "after: [k]}, {kernel: m, device: each, after: [all_reduce]}");
  const std::string found = gdsim_output({"explain", folder.write("s.yaml", text), "--format", "csv"});
  for (const std::string change : {"links_unlimited,", "collectives_free,", "no_dependencies,", "barriers_free,"})
    CHECK_THAT(found, Contains("\n" + change));
  const std::string words = gdsim_output({"explain", folder.write("s.yaml", text)});
  CHECK_THAT(words, Contains("on 2 devices: ") && Contains("Links: "));
}

TEST_CASE("what the links cost is what explain says they do") {
  const TemporaryFolder folder;
  const auto with_bandwidth = [&](const std::string& bandwidth, const std::string& latency) {
    return scenario_on(
        "devices: {x: tiny, y: tiny}\nlinks: [{between: [x, y], bandwidth: " + bandwidth + ", latency: " + latency +
            "}]",
        "{kernel: m, device: x}, {copy: {bytes: 1 MiB, from: x, to: y}, after: [m]}, {kernel: k, device: y, "
        "after: [copy]}");
  };
  const std::string explained =
      gdsim_output({"explain", folder.write("s.yaml", with_bandwidth("1 GB/s", "1 us")), "--format", "csv"});
  const std::string free =
      gdsim_output({"run", folder.write("f.yaml", with_bandwidth("100000 GB/s", "0 us")), "--print", "summary"});
  const std::string key = "\"duration_ns\": ";
  const std::string duration =
      free.substr(free.find(key) + key.size(), free.find(',', free.find(key)) - free.find(key) - key.size());
  CHECK_THAT(explained, Contains("links_unlimited," + duration));
}

TEST_CASE("sweep takes points of several devices: the duration of all, and no column of one") {
  const TemporaryFolder folder;
  const std::string file = folder.write("s.yaml", kApart);
  const std::string table = gdsim_output({"sweep", file, "--vary", "kernels.k.global=640,1280", "--format", "csv"});
  CHECK_THAT(gdsim_refusal({"sweep", file, "--vary", "kernels.k.global=640,1280", "--metric", "waves"}),
             Contains("points of several are ranked by duration, peak_occupancy or mean_occupancy"));
  const auto lines = lines_of(table);
  REQUIRE(lines.size() == 3);
  CHECK_THAT(lines[1], Contains(",ok,") || Contains("ok"));
  const std::string run = gdsim_output({"run", file, "--print", "summary"});
  const std::string key = "\"duration_ns\": ";
  CHECK_THAT(table, Contains(run.substr(run.find(key) + key.size(),
                                        run.find(',', run.find(key)) - run.find(key) - key.size())));
}

namespace {

const std::string kTwo = "devices: {x: tiny, y: tiny}\nlinks: [{between: [x, y], bandwidth: 1 B/s, latency: 1 us}]\n";
const std::string kShort = "kernels: {k: {global: 8, local: 8, sub_group: 8, program: [compute: 10 ns]}}\n";

Ran run_text(const std::string& text, std::vector<std::string> words) {
  const TemporaryFolder folder;
  words.insert(words.begin() + 1, folder.write("s.yaml", "scenario: S\n" + text));
  return run_gdsim(words);
}

}  // namespace

TEST_CASE("a transfer that would last beyond 64 bits and does not begin is no error") {
  const std::string launches =
      "launches: [{kernel: k, device: x}, {kernel: k, device: y}, {copy: {bytes: 1 GiB, from: x, to: y}, after: [k], "
      "name: c},"
      " {kernel: k, device: y, after: [c], name: last}]\n";
  const Ran bounded = run_text(kTwo + kShort + launches, {"run", "--max-time", "5 ns"});
  CHECK(bounded.status == 0);
  CHECK_THAT(bounded.out, Contains("bounded after 5 ns"));
}

TEST_CASE("launches on each device that are counted have names without the device, too") {
  const Ran ran = run_text(
      kTwo + kShort +
          "launches: [{kernel: k, device: each, count: 2}, {kernel: k, device: y, name: last, after: [\"k#2\"]}]\n",
      {"run", "--print", "launches"});
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Contains("\nk#2.x,") && Contains("\nlast,"));
}

TEST_CASE("an expectation of a launch on each device has to name one of them") {
  const Ran ran = run_text(
      kTwo + kShort + "launches: [{kernel: k, device: each}]\nexpect: [{launches: {k: {active: 10 ns}}}]\n", {"check"});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Contains("'k' is a launch on each device; name one of them, as in 'k.DEVICE'"));
}

TEST_CASE("a sweep of several devices notes of each what it notes of one") {
  const Ran ran =
      run_text(kTwo + kShort + "launches: [{kernel: k, device: each}]\n", {"sweep", "--vary", "kernels.k.global=8,16"});
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Contains("The scenario declares the durations of compute steps"));
}

TEST_CASE("explain does not change the kernel of a collective, however long that is") {
  const Ran ran = run_text(kTwo + kShort +
                               "launches: [{kernel: k, device: each}, {collective: {kind: all_reduce, bytes: 1 KiB, "
                               "work_groups: 2, local: 4}, name: r}]\n",
                           {"explain", "--format", "csv"});
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Contains("links_unlimited") && !Contains("\nlocal:") && !Contains("\nsub_group:"));
}

TEST_CASE("the page of a collective says that its threads wait for other devices, not at a barrier") {
  const TemporaryFolder folder;
  const std::string page = (folder.path() / "p.html").string();
  const auto data_of = [&](const std::string& launches) {
    gdsim_output(
        {"report", folder.write("s.yaml", scenario_on("devices: {x: tiny, y: tiny}\n" + kLink, launches)), "-o", page});
    return read_file(page);
  };
  CHECK_THAT(data_of("{kernel: m, device: each}, {collective: {kind: all_reduce, bytes: 1 KiB, work_groups: 1, local: "
                     "1}, after: [m]}"),
             Contains(",\"exchanges\":["));
  CHECK_THAT(data_of("{kernel: m, device: each}"), !Contains("\"exchanges\":["));
}
