#include "support/builders.hpp"
#include "support/golden.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "support/test_programs.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>

// In a README, a line `$ gdsim ...` within a block of code is followed by what it prints, which tools/approve writes
// anew. Every other command is run, every scenario is run, and every link leads somewhere. Words in capitals stand for
// something of the reader's own: such commands are not run.

using namespace gdsim::testing;
namespace fs = std::filesystem;

namespace {

/// Every document of the tree, by its path from the top.
std::vector<std::string> documents() {
  std::vector<std::string> paths{"README.md", "CHANGELOG.md"};
  for (const std::string folder : {"models", "scenarios", "sim", "tests", "tools"})
    for (const auto& entry : fs::recursive_directory_iterator(source_path(folder)))
      if (entry.path().extension() == ".md" && entry.path().string().find("node_modules") == std::string::npos)
        paths.push_back(fs::relative(entry.path(), source_path("")).string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// The parts of the documents that one test each takes, longest names first; the last one is all others.
constexpr std::array<std::string_view, 5> kParts{"scenarios/tutorial/", "scenarios/course/", "scenarios/", "tools/",
                                                 ""};

/// The documents of a part (kParts).
std::vector<std::string> documents_of(const std::string& part) {
  std::vector<std::string> paths;
  for (const std::string& path : documents()) {
    const auto own = std::find_if(kParts.begin(), kParts.end(), [&](auto begin) { return path.starts_with(begin); });
    if (*own == part) paths.push_back(path);
  }
  return paths;
}

/// The blocks of code of a language (empty: of none) in a document.
std::vector<std::string> blocks(const std::string& text, const std::string& language) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  std::string block, opened;
  bool is_in_block = false;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    if (line.compare(begin, 3, "```") != 0) {
      if (is_in_block) block += line + "\n";
      continue;
    }
    if (is_in_block && opened == language) found.push_back(block);
    is_in_block = !is_in_block;
    opened = line.substr(begin + 3);
    block.clear();
  }
  return found;
}

std::string title_of(const std::string& scenario) {
  std::smatch title;
  return std::regex_search(scenario, title, std::regex("(?:^|\n)scenario: (.*)\n")) ? title[1].str() : "";
}

/// A folder in which READMEs' commands work: scenarios and models of the sources, the files that READMEs show, and what
/// they take for granted.
class ReaderFolder {
 public:
  ReaderFolder() {
    for (const std::string name : {"scenarios", "models"})
      fs::create_directory_symlink(source_path(name), folder_.path() / name);
    const std::string mine = blocks(read_file(source_path("README.md")), "yaml").at(0);
    folder_.write("mine.yaml", mine);
    folder_.write("before.yaml", mine);
    folder_.write("after.yaml", std::regex_replace(mine, std::regex("registers: 72"), "registers: 64"));
    folder_.write("my-card.yaml", blocks(read_file(source_path("models/README.md")), "yaml").at(0));
    folder_.write("vtune.csv", "time_ms,percent\n0.000,30\n0.005,30\n0.010,20\n");
    folder_.write("gemm.txt",
                  "ptxas info    : Compiling entry function 'gemm' for 'sm_80'\n"
                  "ptxas info    : Used 72 registers, 4096 bytes smem, 400 bytes cmem[0]\n");
    for (const std::string& scenario : blocks(read_file(source_path("scenarios/README.md")), "yaml")) {
      std::string name = title_of(scenario);
      for (char& c : name) c = c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      folder_.write(name + ".yaml", scenario);
      scenarios_.push_back(name + ".yaml");
    }
  }

  /// The scenarios that scenarios/README.md shows.
  const std::vector<std::string>& scenarios() const { return scenarios_; }
  fs::path path() const { return folder_.path(); }

  Ran ran(const std::string& command) const {
    return run_shell("cd " + folder_.path().string() +
                     " && export LC_ALL=C.UTF-8 PATH=$(dirname \"$GDSIM\"):$PATH && " + command);
  }

  /// What the command prints. It succeeds, and says nothing on standard error.
  std::string printed(const std::string& command) const {
    const Ran result = ran(command);
    INFO(command << "\n" << result.err);
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    CHECK_FALSE(result.out.empty());
    return result.out;
  }

 private:
  TemporaryFolder folder_;
  std::vector<std::string> scenarios_;
};

struct Regenerated {
  std::string text;
  int commands = 0;
};

/// The text with the outputs of its commands as they are today.
Regenerated regenerated(const std::string& text, const ReaderFolder& folder) {
  Regenerated result;
  std::istringstream lines(text);
  bool in_block = false, in_output = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      in_block = !in_block;
      in_output = false;
    }
    const bool is_command = in_block && line.starts_with("$ gdsim ");
    if (in_output && !is_command) continue;
    result.text += line + "\n";
    in_output = is_command;
    if (!is_command) continue;
    result.text += folder.printed(line.substr(2));
    ++result.commands;
  }
  return result;
}

/// The commands that a document names, in code within its text and in blocks, without those whose output it shows.
std::vector<std::string> commands_in(const std::string& document) {
  std::vector<std::string> commands;
  for (const std::string& block : blocks(document, "")) {
    std::istringstream lines(block);
    for (std::string line; std::getline(lines, line);) commands.push_back(line.substr(0, line.find("  #")));
  }
  const std::string text = std::regex_replace(document, std::regex("```[^`]*```"), "");
  const std::regex code("`([^`]+)`");
  for (std::sregex_iterator match(text.begin(), text.end(), code), end; match != end; ++match)
    commands.push_back(std::regex_replace((*match)[1].str(), std::regex("\\s+"), " "));
  return commands;
}

bool has_placeholder(const std::string& command) {
  return std::regex_search(command, std::regex("(^|[ =/])[A-Z]+(\\.[a-z]+)?(\\.\\.\\.)?($|[ ,])")) ||
         command.find("...") != std::string::npos;
}

/// What is run in place of a command: help, where a document only names it, and of a sweep two points, drawn from all,
/// and their beginning.
std::string quick_form_of(const std::string& command) {
  const bool is_name = command != "gdsim help" && std::count(command.begin(), command.end(), ' ') == 1;
  if (is_name) return "gdsim help " + command.substr(command.find(' ') + 1);
  return command + (command.starts_with("gdsim sweep ") ? " --sample 2 --max-events 20000" : "");
}

/// Whether a test of this tree begins with this text.
bool is_name_of_test(const std::string& beginning) {
  for (const auto& entry : fs::recursive_directory_iterator(source_path("tests")))
    if (entry.path().extension() == ".cpp" &&
        read_file(entry.path()).find("TEST_CASE(\"" + beginning) != std::string::npos)
      return true;
  return false;
}

/// A program of tests with a pattern of names: `build/release/tests/test_run "a barrier*"`.
bool calls_test_program(const std::string& command) {
  const std::regex call("build/release/tests/test_([a-z_]+)(?: \"([^\"*]+)\\*\")?");
  std::smatch parts;
  if (!std::regex_match(command, parts, call)) return false;
  return is_test_program(parts[1].str()) && (parts[2].length() == 0 || is_name_of_test(parts[2]));
}

/// Compares what commands print with what these documents show below them, and returns how many commands there are.
int compare_shown_outputs(const std::string& part) {
  const ReaderFolder folder;
  int commands = 0;
  for (const std::string& path : documents_of(part)) {
    const Regenerated today = regenerated(read_file(source_path(path)), folder);
    CHECK(difference_to_approved(path, today.text).empty());
    commands += today.commands;
  }
  return commands;
}

/// Runs what these documents name besides, and returns how many commands that are.
std::size_t run_named_commands(const std::string& part) {
  const ReaderFolder folder;
  std::set<std::string> done;
  for (const std::string& path : documents_of(part))
    for (const std::string& command : commands_in(read_file(source_path(path)))) {
      if (!command.starts_with("gdsim ") || has_placeholder(command) || !done.insert(command).second) continue;
      const Ran ran = folder.ran(quick_form_of(command));
      INFO(path << ": " << command << "\n" << ran.err);
      CHECK(ran.status <= 1);  // 1: a condition held, or something is missing
    }
  return done.size();
}

}  // namespace

TEST_CASE("golden: commands that the READMEs of tools show print what stands below them", "[figures]") {
  CHECK(compare_shown_outputs("tools/") >= 1);
}

TEST_CASE("golden: commands that the READMEs of scenarios show print what stands below them", "[figures]") {
  CHECK(compare_shown_outputs("scenarios/") >= 1);
}

TEST_CASE("golden: commands that the course shows print what stands below them", "[figures]") {
  CHECK(compare_shown_outputs("scenarios/course/") >= 1);
}

TEST_CASE("golden: commands that the tutorial shows print what stands below them", "[figures]") {
  CHECK(compare_shown_outputs("scenarios/tutorial/") >= 1);
}

TEST_CASE("golden: commands that all other documents show print what stands below them", "[figures]") {
  CHECK(compare_shown_outputs("") >= 3);
}

TEST_CASE("golden: the pictures of the tutorial are what its pages say draws them", "[figures]") {
  const ReaderFolder folder;
  int pictures = 0;
  const std::regex drawing("gdsim (?:report|sweep) .* -o ([a-z0-9_]+\\.svg)");
  for (const std::string& path : documents()) {
    if (!path.starts_with("scenarios/tutorial/")) continue;
    const std::string page = read_file(source_path(path));
    for (const std::string& command : commands_in(page)) {
      std::smatch name;
      if (!std::regex_match(command, name, drawing)) continue;
      INFO(command);
      REQUIRE(folder.ran(command).status == 0);
      const std::string picture = "pictures/" + name[1].str();
      CHECK(page.find("](../" + picture + ")") != std::string::npos);
      CHECK(difference_to_approved("scenarios/" + picture, read_file(folder.path() / name[1].str())).empty());
      ++pictures;
    }
  }
  CHECK(pictures == 6);
}

TEST_CASE("every other command of gdsim that the READMEs of tools name can be run", "[figures]") {
  CHECK(run_named_commands("tools/") >= 5);
}

TEST_CASE("every other command of gdsim that the READMEs of scenarios name can be run", "[figures]") {
  CHECK(run_named_commands("scenarios/") >= 5);
}

TEST_CASE("every other command of gdsim that the course names can be run", "[figures]") {
  CHECK(run_named_commands("scenarios/course/") >= 3);
}

TEST_CASE("every other command of gdsim that the tutorial names can be run", "[figures]") {
  CHECK(run_named_commands("scenarios/tutorial/") >= 3);
}

TEST_CASE("every other command of gdsim that all other documents name can be run", "[figures]") {
  CHECK(run_named_commands("") >= 5);
}

TEST_CASE("every tool and every test that a README names is there") {
  std::size_t count = 0;
  for (const std::string& path : documents())
    for (const std::string& command : commands_in(read_file(source_path(path)))) {
      INFO(path << ": " << command);
      const std::string program = command.substr(0, command.find(' '));
      if (program.starts_with("tools/")) {
        CHECK(fs::exists(source_path(program)));
      } else if (program.starts_with("build/release/tests/test_")) {
        CHECK(calls_test_program(command));
      } else {
        continue;
      }
      ++count;
    }
  CHECK(count > 20);
}

TEST_CASE("the scenarios that the guide shows run, and hold what they expect", "[figures]") {
  const ReaderFolder folder;
  CHECK(folder.scenarios().size() >= 6);
  for (const std::string& scenario : folder.scenarios()) {
    const Ran ran = folder.ran("gdsim run " + scenario);
    INFO(scenario << "\n" << ran.err);
    CHECK(ran.status == 0);
  }
  CHECK(folder.ran("gdsim check expectations.yaml").status == 0);
}

TEST_CASE("links between READMEs lead somewhere") {
  const std::regex link("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");
  for (const std::string& path : documents()) {
    const std::string text = read_file(source_path(path));
    for (std::sregex_iterator match(text.begin(), text.end(), link), end; match != end; ++match) {
      INFO(path << ": " << (*match)[1]);
      CHECK(fs::exists(fs::path(source_path(path)).parent_path() / (*match)[1].str()));
    }
  }
}

TEST_CASE("what people read is short: the front page, each lesson, and all of the rest") {
  std::size_t words = 0;
  for (const std::string& path : documents()) {
    std::istringstream text(read_file(source_path(path)));
    std::size_t own = 0;
    for (std::string word; text >> word;) ++own;
    const bool is_lesson = path.starts_with("scenarios/tutorial/") || path.starts_with("scenarios/course/");
    const bool is_for_teachers = path.ends_with("/answers.md");
    INFO(path << ": " << own);
    CHECK((!is_lesson || is_for_teachers || own <= 385));
    if (!is_lesson) words += own;
  }
  CHECK(words <= 13'200);
  const std::string front = read_file(source_path("README.md"));
  CHECK(std::count(front.begin(), front.end(), '\n') < 150);
}
