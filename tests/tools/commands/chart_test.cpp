#include "support/builders.hpp"
#include "support/golden.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

using namespace gdsim::testing;

namespace {
const std::vector<std::string> kUnicode{"LC_ALL=C.UTF-8"};
const std::vector<std::string> kAscii{"LC_ALL=C"};

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; });
}
}  // namespace

TEST_CASE("golden: the chart of a run in a terminal") {
  const Ran chart = run_gdsim({"run", kVectorAdd4, "--chart"}, kUnicode);
  CHECK(chart.status == 0);
  CHECK(difference_to_golden("text/vector_add4_chart.txt", chart.out).empty());
  const Ran plain = run_gdsim({"run", kVectorAdd4, "--chart"}, kAscii);
  CHECK(difference_to_golden("text/vector_add4_chart_ascii.txt", plain.out).empty());
}

TEST_CASE("on a terminal a run draws its chart unasked, elsewhere it does not") {
  if (!has_terminals()) {
    WARN("there are no pseudo-terminals here (/dev/pts): not tested");
    return;
  }
  const std::string asked = run_gdsim({"run", kVectorAdd4, "--chart"}, kUnicode).out;
  const std::string unasked = run_gdsim({"run", kVectorAdd4}, kUnicode).out;
  CHECK(run_gdsim_on_terminal({"run", kVectorAdd4, "--color", "never"}, kUnicode).out == asked);
  CHECK(asked.starts_with(unasked));
  CHECK(unasked.find("\u2588") == std::string::npos);
  CHECK(run_gdsim_on_terminal({"run", kVectorAdd4}, {"LC_ALL=C.UTF-8", "TERM=dumb"}).out == unasked);
}

TEST_CASE("a bounded run shows its chart on a terminal, too, unless its timeline could be too large, then it says so") {
  if (!has_terminals()) {
    WARN("there are no pseudo-terminals here (/dev/pts): not tested");
    return;
  }
  const auto run = [](const std::string& more) {
    std::vector<std::string> words{"run", kVectorAdd4, "--max-time", "9 ms"};
    if (!more.empty()) words.insert(words.end(), {"--set", more});
    return run_gdsim_on_terminal(words, kUnicode).out;
  };
  CHECK_THAT(run(""), Catch::Contains("bounded after 9 ms") && Catch::Contains("├ 100 %"));
  CHECK_THAT(run("kernels.vector_add4.global=320000320"), Catch::Contains("bounded after 9 ms") &&
                                                              Catch::Contains("No chart: the timeline of so many") &&
                                                              !Catch::Contains("├ 100 %"));
}

TEST_CASE("where the locale is not UTF-8, the chart is plain ASCII") {
  if (!has_terminals()) {
    WARN("there are no pseudo-terminals here (/dev/pts): not tested");
    return;
  }
  CHECK(is_ascii(run_gdsim_on_terminal({"run", kVectorAdd4}, kAscii).out));
  CHECK_FALSE(is_ascii(run_gdsim_on_terminal({"run", kVectorAdd4}, kUnicode).out));
}

TEST_CASE("a chart shows as many columns as the run has picoseconds, and no more") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml",
                                        "scenario: Short\ndevice: tiny\nkernels:\n"
                                        "  k: {global: 8, local: 8, sub_group: 8, program: [compute: 3 ps]}\n"
                                        "launches:\n  - kernel: k\n");
  const Ran ran = run_gdsim({"run", file, "--chart"}, kAscii);
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Catch::Contains("+---+") && Catch::Contains("|___|"));
}

TEST_CASE("a column of a chart is as high as resident threads are many, whether or not they run") {
  const std::string chart = run_gdsim({"run", kVectorAdd4, "--chart"}, kUnicode).out;
  // 264 of 672 threads are 25 of 64 eighths, 200 that run would be 19.
  CHECK_THAT(chart, Catch::Contains("336 ┤▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▁▁▁▁▁▁  ") &&
                        Catch::Contains("│████████████████████████░░░░░░  "));
}

TEST_CASE("a row of a queue is as high as the share of the column in which a launch of it is in flight") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "a.yaml",
      "scenario: Queues\ndevice: {base: tiny, copy: {engines: 1, bandwidth: 1 GB/s}}\nkernels:\n"
      "  k: {global: 8, local: 8, sub_group: 8, program: [compute: 60 us]}\nqueues: {a: {}, b: {}}\nlaunches:\n"
      "  - {kernel: k, queue: a}\n  - {copy: {bytes: 5500 B, direction: host_to_device}, queue: b}\n");
  // Each of 60 columns is a microsecond.
  const std::string chart = run_gdsim({"run", file, "--chart"}, kUnicode).out;
  CHECK_THAT(chart, Catch::Contains("a │████████████████████████████████████████████████████████████│") &&
                        Catch::Contains("b │█████▄      "));
}

TEST_CASE("a chart belongs to one run, and excludes a table on the same output") {
  CHECK(run_gdsim({"run", kVectorAdd4, "--chart", "--print", "phases"}).status == 2);
  CHECK(run_gdsim({"run", source_path("scenarios/vector_add2.yaml"), "--chart"}).status == 2);
  CHECK(run_gdsim({"run", source_path("scenarios/vector_add2.yaml"), "--chart", "--case", "n44"}).status == 0);
}

TEST_CASE("rows of a chart have names that tell them apart, also of a kernel that is called as copies are") {
  const TemporaryFolder folder;
  const std::string begin = "void at::native::vectorized_elementwise_kernel<4, ";
  const std::string file =
      folder.write("a.yaml",
                   "scenario: Names\ndevice: {base: tiny, copy: {engines: 1, bandwidth: 1 GB/s}}\nkernels:\n"
                   "  copies: {global: 64, local: 16, sub_group: 8, program: [compute: 1 us]}\n"
                   "  \"" +
                       begin +
                       "add>\": {global: 64, local: 16, sub_group: 8, program: [compute: 2 us]}\n"
                       "  \"" +
                       begin +
                       "mul>\": {global: 64, local: 16, sub_group: 8, program: [compute: 3 us]}\n"
                       "launches:\n  - {kernel: copies, name: a}\n  - {kernel: \"" +
                       begin +
                       "add>\", name: b}\n"
                       "  - {kernel: \"" +
                       begin + "mul>\", name: c}\n  - {copy: {bytes: 1 KiB, direction: host_to_device}, name: d}\n");
  const Ran ran = run_gdsim({"run", file, "--chart"}, kAscii);
  INFO(ran.err);
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Catch::Contains("rnel<4, add> |") && Catch::Contains("rnel<4, mul> |") &&
                          Catch::Contains(" copies |") && Catch::Contains(" copies (2) |"));
}
