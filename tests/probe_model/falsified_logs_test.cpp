#include "probe_model/simulated_probe.hpp"
#include "support/builders.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <gdsim/probe_model/block_runs.hpp>
#include <gdsim/probe_model/probe_logs.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>

// Tables of the probe that somebody changed, cut off or mixed: each is left out, with the place that shows it.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

/// Tables of a small device, of which one is changed.
struct Logs {
  explicit Logs(std::int64_t timer_step_ns = 1) {
    const ReadText read = read_text(
        "scenario: s\ndevice: {base: cc-9.0, clock: 1 GHz, cores: 4, dispatch: {recovery: 300 cycles}}\n"
        "kernels: {k: {global: 64, local: 64, sub_group: 32, program: [compute: 1 us]}}\nlaunches: [{kernel: k}]\n");
    write_probe_tables(read.scenario().device, "cc-9.0", {0, timer_step_ns, 0, 1}, folder.path());
  }

  fs::path file(const std::string& name) const { return folder.path() / name; }
  void change(const std::string& name, const std::function<std::string(std::string)>& how) const {
    const std::string text = read_file(file(name));
    folder.write(name, how(text));
  }
  /// The problems of the tables and of the runs of the experiment `threads`, and how many runs it has.
  std::string problems() {
    SourceFiles sources;
    try {
      const ProbeLogs logs = read_probe_logs({folder.path().string()}, sources);
      std::vector<Diagnostic> left_out = logs.left_out;
      runs = read_block_runs(logs, "threads", left_out).size();
      other_runs = read_block_runs(logs, "slots", left_out).size();
      std::string text;
      for (const Diagnostic& one : left_out)
        text += fs::path(one.file).filename().string() + ":" + std::to_string(one.line) + ": " + one.message + "\n";
      return text;
    } catch (const InputError& error) {
      return error.what();
    }
  }

  TemporaryFolder folder;
  std::size_t runs = 0;
  std::size_t other_runs = 0;
};

/// A cell of the first row that begins with `threads`.
std::string with_cell(const std::string& text, const std::string& column, const std::string& value) {
  std::string changed;
  std::size_t position = 0;
  bool is_done = false;
  for (std::string line : lines_of(text)) {
    std::vector<std::string> cells = cells_of(line);
    if (line.ends_with(',')) cells.emplace_back();
    if (!line.starts_with("#") && position == 0)
      position = static_cast<std::size_t>(std::find(cells.begin(), cells.end(), column) - cells.begin()) + 1;
    if (!is_done && position > 0 && line.starts_with("threads")) {
      cells.at(position - 1) = value;
      line = cells.front();
      for (std::size_t i = 1; i < cells.size(); ++i) line += "," + cells[i];
      is_done = true;
    }
    changed += line + "\n";
  }
  return changed;
}

}  // namespace

TEST_CASE("tables as they were written have no problem") {
  Logs logs;
  CHECK(logs.problems() == "");
  CHECK(logs.runs == 18);
}

TEST_CASE("blocks that no core can have held are found") {
  Logs logs;
  // All blocks on core 0: more threads at once than it has.
  logs.change("threads.blocks.csv", [](const std::string& text) {
    std::string changed = text;
    for (const std::string core : {",1,,0x1,", ",2,,0x2,", ",3,,0x3,"})
      changed = replaced_everywhere(changed, core, ",0,,0x0,");
    return changed;
  });
  CHECK_THAT(logs.problems(),
             Contains("threads.blocks.csv:") && Contains("core 0 holds 33 blocks of 64 threads at once"));
  CHECK(logs.runs == 0);
  CHECK(logs.other_runs > 0);
}

TEST_CASE("each contradiction is named with its place, and costs no more than its experiment") {
  struct Falsification {
    const char* file;
    const char* column;
    const char* value;
    const char* problem;
  };
  for (const Falsification& one : std::vector<Falsification>{
           {"threads.blocks.csv", "end_ns", "1",
            "threads.blocks.csv:19: the block ends at 1 ns, before its start at 5000 ns"},
           {"threads.blocks.csv", "block", "1", "block 1 does not follow block -1"},
           {"threads.blocks.csv", "core", "many", "threads.blocks.csv:19: core: 'many' is no whole number"},
           {"threads.blocks.csv", "repetition", "7", "is of a launch that the table of launches does not have"},
           {"threads.launches.csv", "last_end_ns", "90000",
            "the launch lasts from 5000 ns to 90000 ns, and its blocks"},
           {"threads.launches.csv", "blocks", "1",
            "threads.blocks.csv:20: block 1 does not follow block 0 of 1 blocks"},
           {"threads.launches.csv", "threads", "0", "threads: '0' is no whole number from 1"}}) {
    Logs logs;
    logs.change(one.file, [&](const std::string& text) { return with_cell(text, one.column, one.value); });
    INFO(one.problem);
    CHECK_THAT(logs.problems(), Contains(one.problem));
    CHECK(logs.runs == 0);
    CHECK(logs.other_runs > 0);
  }
}

TEST_CASE("cycles and nanoseconds that do not fit the clock are found") {
  Logs logs;
  for (const char* name : {"threads.blocks.csv", "threads.launches.csv"})
    logs.change(name, [](const std::string& text) {
      return replaced_everywhere(text, "# core_clock_MHz_measured: 1000.000", "# core_clock_MHz_measured: 500.000");
    });
  // The facts are those of the first table: make it one of these.
  for (const fs::directory_entry& entry : fs::directory_iterator(logs.folder.path()))
    if (!entry.path().filename().string().starts_with("threads")) fs::remove(entry.path());
  CHECK_THAT(logs.problems(), Contains("2.00 times the clock of 500 MHz"));
  CHECK(logs.runs == 0);
}

TEST_CASE("a table that was cut off, renamed or mixed with those of another device is left out") {
  const auto problem_of = [](const std::string& name, const std::function<std::string(std::string)>& how) {
    Logs logs;
    logs.change(name, how);
    return logs.problems();
  };
  CHECK_THAT(problem_of("threads.blocks.csv", [](std::string text) { return text.substr(0, text.size() / 2); }),
             Contains("threads.blocks.csv:") && Contains("the file is cut off"));
  CHECK_THAT(problem_of("threads.blocks.csv",
                        [](const std::string& text) { return replaced_everywhere(text, "# cores: 4", "# cores: 8"); }),
             Contains("is of another device than most of the tables: cores '8', and not '4'"));
  CHECK_THAT(problem_of("threads.blocks.csv",
                        [](const std::string& text) {
                          return replaced_everywhere(text, "# table: blocks", "# table: launches");
                        }),
             Contains("its header says table 'launches', the file's name 'blocks'"));
  CHECK_THAT(problem_of("threads.blocks.csv", [](const std::string& text) { return text.substr(text.find("run,")); }),
             Contains("this is no table of the probe"));
  CHECK_THAT(problem_of("threads.blocks.csv", [](const std::string&) { return std::string(); }),
             Contains("threads.blocks.csv"));
}

TEST_CASE("a folder without a table that can be used is refused with all its problems") {
  const TemporaryFolder folder;
  folder.write("a.b.csv", "x\n1\n");
  folder.write("other.csv", "x\n1\n");
  SourceFiles sources;
  CHECK_THROWS_WITH(read_probe_logs({folder.path().string()}, sources),
                    Contains("no table of the probe") && Contains("other.csv"));
  CHECK_THROWS_WITH(read_probe_logs({(folder.path() / "none").string()}, sources), Contains("none"));
}
