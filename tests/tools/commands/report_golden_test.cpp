#include "support/builders.hpp"
#include "support/golden.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

// Pages and pictures of runs with what vector_add4 does not have: a map of cores, launches that wait, bands of several
// runs, time in memory, issue slots and SLM, work-groups that had not ended. What is long in a picture is kept by its
// beginning, its length and a number that follows from all of it.

using namespace gdsim::testing;

namespace {

/// FNV-1a.
std::uint64_t number_of(const std::string& text) {
  std::uint64_t number = 0xcbf2'9ce4'8422'2325U;
  for (const char c : text) number = (number ^ static_cast<unsigned char>(c)) * 0x100'0000'01b3U;
  return number;
}

/// A line for each element, without styles.
std::string outline(std::string text) {
  text = without_hashes(text);
  const auto cut = [&](const std::string& from, const std::string& to) {
    const std::size_t begin = text.find(from);
    if (begin == std::string::npos) return;
    text.erase(begin + from.size(), text.find(to, begin) - begin - from.size());
  };
  cut("<style>\n", "</style>");
  std::string lines;
  // A line for each element.
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of("<\n", at + 1), text.size());
    std::string line = text.substr(at, end - at);
    while (line.ends_with('\n')) line.pop_back();
    constexpr std::size_t longest = 160;
    if (line.size() > longest)
      line = fmt::format("{}... ({} characters, {:016x})", line.substr(0, longest / 2), line.size(), number_of(line));
    if (line != "</span>" && line != "</td>" && line != "</i>" && line != "</g>" && line != "</title>" && !line.empty())
      lines += line + "\n";
    at = end;
  }
  return lines;
}

std::string drawn(const std::string& input, const std::string& extension, const std::vector<std::string>& more = {}) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / ("page." + extension)).string();
  std::vector<std::string> words{"report", input, "-o", file};
  words.insert(words.end(), more.begin(), more.end());
  const Ran ran = run_gdsim(words);
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  return read_file(file);
}

/// On so many cores of four contexts, work-groups that last 1 us, 2 us, 3 us and so on.
std::string staircase(std::uint64_t cores, std::uint64_t groups) {
  std::string factors;
  for (std::uint64_t i = 0; i < groups; ++i) factors += fmt::format("{}{}: {}", i > 0 ? ", " : "", i, i + 1);
  return fmt::format(
      "scenario: Stairs\ndevice: {{base: tiny, cores: {}}}\nkernels:\n  k: {{global: {}, local: 16, sub_group: 8, "
      "program: [compute: 1 us], variation: {{work_groups: {{{}}}}}}}\nlaunches: [kernel: k]\n",
      cores, groups * 16, factors);
}

/// Threads that wait for each kind of thing that they can share.
const std::string kWaits =
    "scenario: Waits\n"
    "device: {base: tiny, clock: 1 GHz, slm_access: {banks: 4, bank_width: 4 B, latency: 2 cycles},\n"
    "  memory: {core_bandwidth: 3 GB/s, levels: [{name: L2, capacity: 1 KiB, bandwidth: 8 GB/s}, {name: HBM, "
    "bandwidth: 2 GB/s, latency: 20 ns}]}}\n"
    "kernels:\n"
    "  k:\n    global: 192\n    local: 32\n    sub_group: 8\n    slm: 1 KiB\n"
    "    program: [memory: 400 B, issue: 50 cycles, slm: {accesses: 20, stride: 2}, barrier, compute: 100 ns]\n"
    "    variation: {work_groups: {1: 2, 4: 3}}\n"
    "  l: {global: 16, local: 8, sub_group: 8, program: [compute: 50 ns]}\n"
    "launches: [kernel: k, {kernel: l, after: [k]}]\n";

}  // namespace

TEST_CASE("golden: pictures of a run with waits, and of one with torn ends") {
  const TemporaryFolder folder;
  CHECK(difference_to_golden("report/waits.svg.txt", outline(drawn(folder.write("c.yaml", kWaits), "svg"))).empty());
  const std::string out = (folder.path() / "out").string();
  const std::string copies = source_path("scenarios/copy_overlap.yaml");
  REQUIRE(run_gdsim({"run", copies, "--case", "no_overlap", "--max-time", "1.5 ms", "-o", out}).status == 0);
  CHECK(difference_to_golden("report/bounded.svg.txt", outline(drawn(out + "/no_overlap", "svg"))).empty());
}

TEST_CASE("pages say what they show of cores, work-groups and launches") {
  using Catch::Contains;
  const TemporaryFolder folder;
  CHECK_THAT(drawn(folder.write("a.yaml", staircase(3, 9)), "html"),
             Contains("<summary>Every core</summary>") && Contains("<figure id=\"core-2\"") &&
                 Contains("9 work-groups as bars") && !Contains("id=\"heat\""));
  CHECK_THAT(drawn(folder.write("b.yaml", staircase(60, 90)), "html"),
             Contains("<figure id=\"heat\"") && Contains("Occupancy of every core") && !Contains("id=\"core-0\""));
  const std::string copies = drawn(source_path("scenarios/copy_overlap.yaml"), "html", {"--case", "with_latency"});
  CHECK_THAT(copies, Contains("a copy passes") && Contains("{\"level\":\"copies\",\"by_launch\":["));
  CHECK(copies.find("<h2>Launches</h2>") < copies.find("<h2 id=\"over-time\">"));
}

TEST_CASE("pages say what they show of time, of several runs and of runs that were cut") {
  using Catch::Contains;
  const TemporaryFolder folder;
  CHECK_THAT(drawn(source_path("tests/fixtures/repeated.yaml"), "html"),
             Contains("<figure id=\"run-bands\"") && Contains("5 % to 95 % of the runs") && Contains("min to max"));
  CHECK_THAT(drawn(folder.write("c.yaml", kWaits), "html"),
             Contains("waiting for issue") && Contains("waiting for memory: HBM") &&
                 Contains("waiting for banks of SLM") && !Contains("waiting for memory: L2"));
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", source_path("scenarios/copy_overlap.yaml"), "--case", "no_overlap", "--max-time", "1.5 ms",
                     "-o", out})
              .status == 0);
  CHECK_THAT(drawn(out + "/no_overlap", "html"),
             Contains("The run was bounded, and cut at 1.5 ms. ") && Contains("had not ended"));
}

namespace {

/// Sums of the columns of time_use.csv that say which part of the memory kept threads waiting: `core L2 HBM`, as 0
/// or 1.
std::string limiting_levels(const std::string& memory) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run",
                     folder.write("a.yaml",
                                  "scenario: S\ndevice: {base: tiny, memory: {" + memory +
                                      "}}\nkernels:\n  k: {global: 64, local: 32, sub_group: 8, working_set: 1 KiB, "
                                      "program: [memory: 1000 B], variation: none}\nlaunches: [kernel: k]\n"),
                     "-o", out})
              .status == 0);
  std::istringstream table(read_file(out + "/time_use.csv"));
  std::string line;
  std::getline(table, line);
  CHECK_THAT(line,
             Catch::EndsWith("waiting_for_memory_core,waiting_for_memory_L2,waiting_for_memory_HBM,accessing_memory"));
  bool waits[3] = {};
  while (std::getline(table, line)) {
    line.erase(line.rfind(','));  // accessing_memory
    for (int column = 2; column >= 0; --column) {
      const std::size_t comma = line.rfind(',');
      waits[column] = waits[column] || line.substr(comma + 1) != "0.0000";
      line.erase(comma);
    }
  }
  return fmt::format("{:d} {:d} {:d}", waits[0], waits[1], waits[2]);
}

}  // namespace

TEST_CASE("threads that wait for memory wait for what keeps them from more, a core or one level") {
  const auto rates = [](const char* core, const char* l2, const char* hbm, const char* capacity) {
    return fmt::format(
        "core_bandwidth: {}, levels: [{{name: L2, capacity: {}, bandwidth: {}}}, {{name: HBM, bandwidth: {}}}]", core,
        capacity, l2, hbm);
  };
  CHECK(limiting_levels(rates("1 GB/s", "50 GB/s", "40 GB/s", "1 MiB")) == "1 0 0");
  CHECK(limiting_levels(rates("50 GB/s", "1 GB/s", "40 GB/s", "1 MiB")) == "0 1 0");
  CHECK(limiting_levels(rates("50 GB/s", "40 GB/s", "1 GB/s", "1 B")) == "0 0 1");
}
