#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

// What names and files hold must not be obeyed by a terminal.

using namespace gdsim::testing;

namespace {

/// A scenario whose title, kernel, launch, barrier and device hold ESC, CSI as a character and an override.
std::string hostile_scenario() {
  const std::string name = "\\e[31m\\x9b[2J\\u202Eü";
  return "scenario: \"title " + name + "\"\ndevice: {base: tiny, name: \"device " + name +
         "\"}\nkernels:\n  \"kernel " + name +
         "\":\n    global: 16\n    local: 16\n    sub_group: 8\n    program: [{compute: 1 us}, {wait: \"barrier " +
         name + "\"}]\nlaunches:\n  - {kernel: \"kernel " + name + "\", name: \"launch " + name + "\"}\n";
}

bool is_obeyed(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return (c >= 0 && c < 0x20 && c != '\n') || c == 0x7F; }) ||
         text.find("\xC2\x9B") != std::string::npos || text.find("\u202E") != std::string::npos;
}

void check_harmless(const Ran& ran, const std::string& shown) {
  CHECK_FALSE(is_obeyed(ran.out));
  CHECK_FALSE(is_obeyed(ran.err));
  CHECK_THAT(ran.out + ran.err, Catch::Contains(shown));
}

}  // namespace

TEST_CASE("names of a scenario are shown escaped by everything that a person reads") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", hostile_scenario());
  const std::string shown = "\\x1b[31m\\u009b[2J\\u202eü";
  check_harmless(run_gdsim({"run", file}), "title " + shown);
  check_harmless(run_gdsim({"run", file}), "device " + shown);
  check_harmless(run_gdsim({"run", file}), "launch " + shown);
  check_harmless(run_gdsim({"run", file}), "barrier " + shown);
  check_harmless(run_gdsim({"run", file, "--chart"}), "title " + shown);
  check_harmless(run_gdsim({"check", file}), "DEADLOCK");
  const std::string measured = folder.write("m.csv", "time_us,percent\n0,50\n1,50\n");
  check_harmless(run_gdsim({"compare", file, "--measured", measured}), "title " + shown);
}

TEST_CASE("file names, options and what a file holds are shown escaped in messages") {
  const TemporaryFolder folder;
  check_harmless(run_gdsim({"run", "no\x1b[31m\x9b"}), "no\\x1b[31m\\x9b: error: ");
  check_harmless(run_gdsim({"run\x1b"}), "unknown command 'run\\x1b'");
  check_harmless(run_gdsim({"run", kVectorAdd4, "--\x1b"}), "\\x1b");
  check_harmless(run_gdsim({"run", kVectorAdd4, "--set", "\xff=1"}), "\\xff");
  const std::string measured = folder.write("m\x1b.csv",
                                            "time_us,per\x1b\x9b"
                                            "cent\n0,5\xff\n");
  check_harmless(run_gdsim({"compare", kVectorAdd4, "--measured", measured}), "m\\x1b.csv");
  check_harmless(run_gdsim({"run", folder.write("b.yaml", "scenario: \"a\\eb\"\n\"k\\ney\": 1\n")}), "k\\ney");
}

TEST_CASE("data is written byte for byte, but for a terminal, which could obey it") {
  if (!has_terminals()) {
    WARN("there are no pseudo-terminals here (/dev/pts): not tested");
    return;
  }
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", hostile_scenario());
  CHECK(is_obeyed(run_gdsim({"run", file, "--print", "launches"}).out));
  const std::string shown = run_gdsim_on_terminal({"run", file, "--print", "launches"}).out;
  CHECK_FALSE(is_obeyed(shown));
  CHECK_THAT(shown, Catch::Contains("launch \\x1b[31m\\u009b[2J\\u202eü"));
}
