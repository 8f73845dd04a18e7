#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

// What a user can get wrong: reported with file, line and column where there is one, exit status 2, nothing written.

using namespace gdsim::testing;
namespace fs = std::filesystem;

namespace {

/// The lines `# refused: LINE:COLUMN: MESSAGE` of a fixture.
std::vector<std::string> refusals_in(const std::string& text) {
  const std::string prefix = "# refused: ";
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(text))
    if (line.starts_with(prefix)) lines.push_back(line.substr(prefix.size()));
  return lines;
}

/// Returns true if the line is what is expected, in which `...` stands for a list of keys: new keys change nothing
/// here.
bool is_as_expected(const std::string& line, const std::string& expected) {
  const std::size_t gap = expected.find("...");
  if (gap == std::string::npos) return line == expected;
  return line.size() >= expected.size() - 3 && line.starts_with(expected.substr(0, gap)) &&
         line.ends_with(expected.substr(gap + 3));
}

/// The lines of an output that begin a problem, without this source tree's place in the machine.
std::vector<std::string> problems_in(std::string text, const std::string& file) {
  const std::string root = source_path("");
  for (auto at = text.find(root); at != std::string::npos; at = text.find(root)) text.erase(at, root.size());
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(text)) {
    const auto error = line.find(": error: ");
    if (error == std::string::npos || !line.starts_with(file + ":")) continue;
    lines.push_back(line.substr(file.size() + 1, error - file.size()) + line.substr(error + 8));
  }
  return lines;
}

std::vector<fs::path> fixtures() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(source_path("tests/fixtures/bad")))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// The program refuses its words with status 2, says `complaint`, and writes nothing.
void check_refused(const Ran& ran, const std::string& complaint) {
  CHECK(ran.status == 2);
  CHECK(ran.out.empty());
  CHECK_THAT(ran.err, Catch::Contains(complaint));
}

const std::string kGood = source_path("scenarios/first_steps.yaml");

}  // namespace

TEST_CASE("every bad scenario is refused with all its problems, each at its place", "[figures]") {
  const auto files = fixtures();
  CHECK(files.size() >= 60);
  for (const fs::path& file : files) {
    const std::string name = fs::relative(file, source_path("")).string();
    const TemporaryFolder folder;
    const Ran ran = run_gdsim({"run", file.string(), "-o", (folder.path() / "out").string()});
    INFO(name << "\n" << ran.err);
    CHECK(ran.status == 2);
    CHECK(ran.out.empty());
    CHECK(folder.listing().empty());
    const auto expected = refusals_in(read_file(file));
    CHECK_FALSE(expected.empty());
    const auto problems = problems_in(ran.err, name);
    CHECK(problems.size() == expected.size());
    for (std::size_t i = 0; i < std::min(problems.size(), expected.size()); ++i) {
      INFO(expected[i] << "\n" << problems[i]);
      CHECK(is_as_expected(problems[i], expected[i]));
    }
  }
}

TEST_CASE("a file that is missing, a folder, or no text is refused") {
  const TemporaryFolder folder;
  check_refused(run_gdsim({"run", "nowhere.yaml"}), "nowhere.yaml: error: cannot be read: No such file");
  check_refused(run_gdsim({"run", folder.path().string()}), "is a directory; a file is needed");
  check_refused(run_gdsim({"run", folder.write("empty.yaml", "")}), "empty.yaml:1:1: error: there is nothing here");
  check_refused(run_gdsim({"run", folder.write("binary.yaml", std::string("\x7f"
                                                                          "ELF\0\1\2\xff\xfe",
                                                                          9))}),
                "this is not a text file in UTF-8");
  check_refused(run_gdsim({"run", "/proc/self/mem"}), "cannot be read");
}

TEST_CASE("100 MB of brackets are refused at the 65th of them") {
  const TemporaryFolder folder;
  const std::string file = folder.write("brackets.yaml", std::string(100'000'000, '['));
  check_refused(run_gdsim({"run", file}), "brackets.yaml:1:65: error: nested deeper than 64 levels");
}

TEST_CASE("an output that cannot be written is refused, and nothing is left behind") {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "not a folder");
  check_refused(run_gdsim({"run", kGood, "-o", file}), "file: error: cannot be written: it is a file");
  check_refused(run_gdsim({"run", kGood, "-o", file + "/below"}), "cannot be written");
  check_refused(run_gdsim({"run", kGood, "-o", "/proc/gdsim"}), "cannot be written");
  fs::create_directories(folder.path() / "taken" / "cores.csv");
  check_refused(run_gdsim({"run", kGood, "-o", (folder.path() / "taken").string()}),
                "cores.csv: error: is not gdsim's");
  CHECK(folder.listing() == "file taken taken/cores.csv");
}

TEST_CASE("a full disk is reported, whether it is a file or standard output") {
  const Ran ran = run_shell("\"$GDSIM\" run " + kGood + " --print timeline > /dev/full");
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("standard output cannot be written: No space left"));
}

TEST_CASE("a command line that cannot be understood is refused with the likeliest meaning") {
  check_refused(run_gdsim({}), "Usage: gdsim COMMAND");
  check_refused(run_gdsim({"rum"}), "unknown command 'rum'; known: run");
  check_refused(run_gdsim({"rum"}), "did you mean 'run'?");
  check_refused(run_gdsim({kGood}), "; to run this file: gdsim run " + kGood);
  check_refused(run_gdsim({"none.yaml"}), "; to run this file: gdsim run none.yaml");
  check_refused(run_gdsim({"run", kGood, "--simd", "16"}),
                "unknown option '--simd'; gdsim's word is sub_group, work-items of a sub-group, warp or wave: "
                "`--set sub_group=16`");
  check_refused(run_gdsim({"occupancy", "--block_size", "256"}),
                "unknown option '--block_size'; gdsim's word is local, work-items of a block: `--local 256`");
  check_refused(run_gdsim({"occupancy", "--grf", "256"}),
                "gdsim's word is large_grf, 256 registers for each thread instead of 128: `--large-grf`");
  check_refused(run_gdsim({"run"}), "run needs one scenario file, ");
  check_refused(run_gdsim({"run", kGood, kGood}), "run needs one scenario file, ");
  check_refused(run_gdsim({"run", kGood, "--prnt", "phases"}), "unknown option '--prnt'; did you mean --print?");
  check_refused(run_gdsim({"run", kGood, "--prin", "phases"}), "unknown option '--prin'");
  check_refused(run_gdsim({"run", kGood, "--print", "phase"}), "--print is 'phase'; known: timeline, cores, phases");
  check_refused(run_gdsim({"run", kGood, "--print"}), "the required argument for option '--print' is missing");
  check_refused(run_gdsim({"run", kGood, "--set", "ports"}), "is not PATH=VALUE");
  check_refused(run_gdsim({"run", kGood, "--set", "global_range=512"}), "work-items of the launch: `global: 512`;");
  check_refused(run_gdsim({"sweep", kGood, "--vary", "local_range=8,16"}), "work-items of a work-group: `local: 8`;");
  check_refused(
      run_gdsim({"run", source_path("scenarios/max_1550_ccs_modes.yaml"), "--case", "ccs_1", "--set", "block=512"}),
      "'block' is no key of a scenario; write kernels.large.local, or another of the kernels");
  check_refused(run_gdsim({"run", kGood, "--set", "a..b=1"}), "--set a..b:1:1: error: 'a..b' is not a path");
  check_refused(run_gdsim({"run", kGood, "--set", "dispatch.ports=none"}), "--set dispatch.ports:1:1: error: ports");
  check_refused(run_gdsim({"run", kGood, "--set", "dispatch.ports="}),
                "--set dispatch.ports:1:1: error: there is nothing");
  check_refused(run_gdsim({"run", kGood, "--set", "parameters.tile=2"}),
                "--set parameters.tile:1:1: error: there is no parameter 'tile', and no expression uses it; the "
                "scenario has none");
  const std::string atomics = source_path("scenarios/global_atomics.yaml");
  for (const char* path : {"parameters.blok", "\"parameters\".blok", "parameters.\"blok\""})
    check_refused(run_gdsim({"run", atomics, "--set", std::string(path) + "=2"}),
                  "there is no parameter 'blok', and no expression uses it; known: block; did you mean 'block'?");
  check_refused(run_gdsim({"sweep", atomics, "--case", "rtx_3080_64", "--vary", "parameters.blok=1,2"}),
                "there is no parameter 'blok'");
  check_refused(run_gdsim({"run", kGood, "--models", "/nowhere"}), "--models: there is no folder /nowhere");
  check_refused(run_gdsim({"run", kGood, "--log-level", "loud"}), "--log-level is 'loud'; known: trace");
  check_refused(run_gdsim({"run", kGood, "--color", "red"}), "--color is 'red'");
  check_refused(run_gdsim({"check"}), "at least one scenario file is needed");
  check_refused(run_gdsim({"check", kGood, "--format", "xml"}), "--format is 'xml'; known: text, json, junit");
  check_refused(run_gdsim({"run", kGood, "-o", ""}), "--output is empty");
  check_refused(run_gdsim({"run", kGood, "--case", ""}), "--case is empty");
  check_refused(run_gdsim({"run", kGood, "--print", "phases", "--print", "cores"}), "--print was given 2 times");
  check_refused(run_gdsim({"help", "rum"}), "unknown command 'rum'");
}

TEST_CASE("a run whose time would overflow ends with a named error and writes nothing") {
  const TemporaryFolder folder;
  check_refused(run_gdsim({"run", kGood, "--set", "kernels.greet.program=[compute: 9223372 s]", "-o",
                           (folder.path() / "out").string()}),
                kGood + ": error: the simulated time leaves 64-bit picoseconds");
  CHECK(folder.listing().empty());
}

TEST_CASE("a file that never ends is refused at the documented size") {
  check_refused(run_gdsim({"run", "/dev/zero"}),
                "/dev/zero: error: is longer than 1073741824 bytes, the most that is read");
}

TEST_CASE("a path that begins with the name of a kernel, queue or device is answered with the whole path") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "s.yaml",
      "scenario: S\ndevice: tiny\nkernels:\n  gemm: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n  "
      "other: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\nqueues: {main: {order: in_order}}\n"
      "launches: [kernel: gemm, kernel: other]\n");
  const auto refused = [&](const std::string& set) { return gdsim_refusal({"run", file, "--set", set}); };
  CHECK_THAT(refused("gemm.registers=5"),
             Catch::Contains("--set gemm.registers:1:1: error: 'gemm' is no key of a scenario; write "
                             "kernels.gemm.registers\n"));
  CHECK_THAT(refused("main.priority=1"), Catch::Contains("write queues.main.priority\n"));
  CHECK_THAT(refused("local=4"), Catch::Contains("write kernels.gemm.local, or another of the kernels\n"));
  CHECK_THAT(refused("gem.registers=5"), Catch::Contains("unknown key 'gem'"));
  CHECK_THAT(gdsim_refusal({"sweep", file, "--vary", "gemm.local=4,8"}),
             Catch::Contains("--vary gemm.local: 'gemm' is no key of a scenario; write kernels.gemm.local\n"));
  CHECK(run_gdsim({"run", file, "--set", "kernels.gemm.local=4", "--print", "kernels"}).status == 0);
}
