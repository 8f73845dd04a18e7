#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/report/format_catalog.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

// Manual pages and completions are made from the description of the commands from which help is made, too.

using namespace gdsim::testing;

namespace {

/// The commands that help lists.
std::vector<std::string> commands() {
  const std::string list = run_gdsim({"--help"}).out;
  std::vector<std::string> names;
  const std::regex name("\n  ([a-z-]+) ");
  for (std::sregex_iterator match(list.begin(), list.end(), name), end; match != end; ++match)
    names.push_back((*match)[1]);
  REQUIRE(names.size() >= 9);
  return names;
}

std::string document(const std::string& path) {
  return read_file(std::string(GDSIM_BINARY_ROOT) + "/documents/" + path);
}

/// The options that a command's help lists.
std::set<std::string> options_in_help(const std::string& command) {
  std::set<std::string> names;
  const std::string help = run_gdsim({command, "--help"}).out;
  const std::regex option("\n  (?:-[a-z], )?--([a-z-]+)");
  for (std::sregex_iterator match(help.begin(), help.end(), option), end; match != end; ++match)
    names.insert((*match)[1]);
  return names;
}

std::string without_escapes(std::string roff) { return std::regex_replace(roff, std::regex("\\\\-"), "-"); }

/// What bash offers behind these words, the last of which is being typed.
std::string completed(const std::string& words) {
  const std::string script = std::string(GDSIM_BINARY_ROOT) + "/documents/bash/gdsim";
  const Ran ran = run_shell("PATH=$(dirname \"$GDSIM\"):$PATH bash -c '. " + script + "; COMP_WORDS=(" + words +
                            "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _gdsim; echo \"${COMPREPLY[*]}\"'");
  CHECK(ran.err.empty());
  return ran.out.substr(0, ran.out.find('\n'));
}

std::set<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

}  // namespace

TEST_CASE("every option of a command's help stands in its manual page and in every shell's completion", "[figures]") {
  const auto all = commands();
  const std::string bash = document("bash/gdsim"), zsh = document("zsh/_gdsim"), fish = document("fish/gdsim.fish");
  for (const std::string& command : all) {
    const std::string page = without_escapes(document("man1/gdsim-" + command + ".1"));
    const auto options = options_in_help(command);
    REQUIRE(options.size() >= 4);
    for (const std::string& option : options) {
      INFO(command << " --" << option);
      CHECK(page.find("\\fB--" + option + "\\fR") != std::string::npos);
      CHECK(zsh.find("--" + option + "[") != std::string::npos);
      CHECK(fish.find("from " + command + "' -l " + option) != std::string::npos);
    }
    CHECK(words_of(completed("gdsim " + command + " -")).size() == options.size());
  }
  CHECK_FALSE(bash.empty());
}

TEST_CASE("the overview lists every command, and every command has a page") {
  const auto all = commands();
  const std::string overview = without_escapes(document("man1/gdsim.1"));
  const auto listed = words_of(completed("gdsim \"\""));
  for (const std::string& command : all) {
    CHECK(overview.find(".BR gdsim-" + command + " (1)") != std::string::npos);
    CHECK(listed.contains(command));
  }
  CHECK(listed.size() == all.size() + 3);  // help, --help, --version
  std::size_t pages = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(std::string(GDSIM_BINARY_ROOT) + "/documents/man1"))
    ++pages;
  CHECK(pages == all.size() + 2);  // gdsim and gdsim-all
}

TEST_CASE(
    "below SEE ALSO, the overview names every command once, with commas between them, and every page names gdsim") {
  const auto all = commands();
  const std::string page = without_escapes(document("man1/gdsim.1"));
  const std::string list = page.substr(page.find(".SH SEE ALSO\n"));
  for (const std::string& command : all) {
    const std::size_t at = list.find("\n.BR gdsim-" + command + " (1)");
    CHECK(at != std::string::npos);
    CHECK(list.find("\n.BR gdsim-" + command + " (1)", at + 1) == std::string::npos);
  }
  CHECK_THAT(list, Catch::Contains("\n.BR gdsim-scenario (5),\n") && Catch::Contains("\n.BR gdsim-device (5),\n") &&
                       Catch::Contains("\n.BR gdsim-outputs (5),\n") && Catch::Contains("\n.BR gdsim-words (5),\n"));
  const auto entries = static_cast<std::size_t>(std::count(list.begin(), list.end(), '\n')) - 1;
  CHECK(entries == all.size() + 4);
  CHECK(static_cast<std::size_t>(std::count(list.begin(), list.end(), ',')) == entries - 1);
  for (const std::string& command : all)
    CHECK(document("man1/gdsim-" + command + ".1").ends_with("\n.SH SEE ALSO\n.BR gdsim (1)\n"));
}

TEST_CASE("gdsim prints the completion of each shell, as packages have it") {
  CHECK(run_gdsim({"completion", "bash"}).out == document("bash/gdsim"));
  CHECK(run_gdsim({"completion", "zsh"}).out == document("zsh/_gdsim"));
  CHECK(run_gdsim({"completion", "fish"}).out == document("fish/gdsim.fish"));
  const Ran other = run_gdsim({"completion", "ksh"});
  CHECK(other.status == 2);
  CHECK_THAT(other.err, Catch::Contains("there is no completion for 'ksh'; known: bash, zsh, fish"));
}

TEST_CASE("completion offers the values that an option takes", "[figures]") {
  std::set<std::string> formats;
  for (const auto& format : gdsim::built_in_formats()) formats.insert(std::string(format.name));
  for (const auto& format : gdsim::export_formats()) formats.insert(std::string(format.name));
  CHECK(words_of(completed("gdsim run --print \"\"")) == formats);
  CHECK(completed("gdsim devices a100-80") == "a100-80gb");
  CHECK(completed("gdsim occupancy --device xe-lp-t") == "xe-lp-tgl");

  const std::string metrics = run_gdsim({"sweep", kVectorAdd4, "--vary", "local=8", "--metric", "none"}).err;
  for (const std::string& metric : words_of(completed("gdsim sweep --metric \"\""))) {
    INFO(metric);
    CHECK(metrics.find(metric) != std::string::npos);
  }
  for (const std::string& level : words_of(completed("gdsim run --log-level \"\"")))
    CHECK(run_gdsim({"devices", "--names", "--log-level", level}).status == 0);
  for (const std::string& when : words_of(completed("gdsim run --color \"\"")))
    CHECK(run_gdsim({"devices", "--names", "--color", when}).status == 0);
  for (const std::string& format : words_of(completed("gdsim check --format \"\"")))
    CHECK(run_gdsim({"check", kVectorAdd4, "--format", format}).status == 0);
}

TEST_CASE("the option --version prints the version, and the commit if there is one") {
  const std::string version = run_gdsim({"--version"}).out;
  CHECK(std::regex_match(version,
                         std::regex("gdsim [0-9]+\\.[0-9]+\\.[0-9]+( \\(commit [0-9a-f]{12}(-modified)?\\))?\n")));
}
