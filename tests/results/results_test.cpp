#include "support/builders.hpp"
#include "support/table_rows.hpp"
#include "support/temporary_folder.hpp"
#include "support/test_programs.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

// Every table of this folder says of each measurement when it was made, and by which command. What is released says one
// version.

using namespace gdsim;
using namespace gdsim::testing;
namespace fs = std::filesystem;

namespace {

using Row = TableRow;

/// The rows of every table, by the table's name.
std::map<std::string, std::vector<Row>> tables_of_results() {
  std::map<std::string, std::vector<Row>> tables;
  for (const auto& entry : fs::directory_iterator(source_path("tests/results"))) {
    if (entry.path().extension() != ".csv") continue;
    const std::string name = entry.path().filename().string();
    INFO(name);
    tables[name] = table_rows("tests/results/" + name);
  }
  return tables;
}

/// The words of a command, without the variables that are set in front of it.
std::vector<std::string> words_of_command(const std::string& command) {
  const std::regex variable("[A-Z_]+=.*");
  std::vector<std::string> words;
  std::istringstream stream(command);
  for (std::string word; stream >> word;)
    if (!words.empty() || !std::regex_match(word, variable)) words.push_back(word);
  return words;
}

bool names_of_this_tree_exist(const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(), [](const std::string& word) {
    const bool is_of_tree = word.starts_with("tools/") || word.starts_with("tests/") || word.starts_with("scenarios/");
    return !is_of_tree || fs::exists(source_path(word));
  });
}

/// Returns true if `gdsim` has a command of this name: its file lies in a folder of the program's sources.
bool is_command(const std::string& name) {
  const fs::directory_iterator folders(source_path("tools/gdsim"));
  return std::any_of(begin(folders), end(folders), [&](const fs::directory_entry& folder) {
    return fs::exists(folder.path() / (name + "_command.cpp"));
  });
}

/// Whether the program of a command is made by this tree, and knows the word behind it.
bool exists(const std::string& command) {
  const std::vector<std::string> words = words_of_command(command);
  if (words.empty() || !names_of_this_tree_exist(words)) return false;
  const std::string& program = words.front();
  const std::string second = words.size() > 1 ? words[1] : "";
  if (program == "gdsim") return is_command(second);
  if (program == "tools/test")
    return read_file(source_path(program)).find("    " + second + ")\n") != std::string::npos;
  const std::string test = "build/release/tests/test_";
  if (program.starts_with(test)) return is_test_program(program.substr(test.size()));
  return program.starts_with("tools/") || program.starts_with("tests/");
}

/// The parts of a file that the group of a pattern matches; at least one.
std::vector<std::string> versions_in(const std::string& file, const std::string& pattern) {
  const std::string text = read_file(source_path(file));
  const std::regex version(pattern);
  std::vector<std::string> versions;
  for (std::sregex_iterator match(text.begin(), text.end(), version), end; match != end; ++match)
    versions.push_back((*match)[1]);
  INFO(file << ": " << pattern);
  REQUIRE_FALSE(versions.empty());
  return versions;
}

}  // namespace

TEST_CASE("every measurement that is kept has a date and a command of this tree that makes it again") {
  const std::regex date("20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])");
  const auto tables = tables_of_results();
  REQUIRE(tables.size() >= 10);
  for (const auto& [name, rows] : tables) {
    CHECK_FALSE(rows.empty());
    for (const Row& row : rows) {
      REQUIRE(row.contains("date"));
      REQUIRE(row.contains("command"));
      INFO(name << ": " << row.at("date") << ": " << row.at("command"));
      CHECK(std::regex_match(row.at("date"), date));
      CHECK(exists(row.at("command")));
    }
  }
}

TEST_CASE("a command that this tree does not have is found out") {
  CHECK(exists("GDSIM_ORACLE_SEED=7 build/release/tests/test_oracle"));
  for (const char* command : {"", "tools/none", "tools/test none", "gdsim none", "build/release/tests/test_none",
                              "gdsim run scenarios/none.yaml", "none"})
    CHECK_FALSE(exists(command));
}

TEST_CASE("a campaign of mutants adds up: what ran was killed or survived") {
  const auto tables = tables_of_results();
  for (const Row& row : tables.at("mutation.csv")) {
    INFO(row.at("seed"));
    const auto number = [&](const char* column) { return std::stoi(row.at(column)); };
    CHECK(number("killed_before") + number("survived") == number("run"));
    CHECK(number("run") + number("not_compiled") <= number("drawn"));
    CHECK(number("without_effect") + number("killed_after_new_tests") <= number("survived"));
  }
}

TEST_CASE("the README of the tests lists every table of results, and no others") {
  const std::string readme = read_file(source_path("tests/README.md"));
  const std::string section = readme.substr(readme.find("\n## Results"));
  const std::regex name("`([a-z_]+\\.csv)`");
  std::vector<std::string> listed, present;
  for (std::sregex_iterator match(section.begin(), section.end(), name), end; match != end; ++match)
    listed.push_back((*match)[1]);
  for (const auto& [table, rows] : tables_of_results()) present.push_back(table);
  std::sort(listed.begin(), listed.end());
  CHECK(listed == present);
}

TEST_CASE("the version is the same everywhere") {
  const std::string number = "([0-9]+\\.[0-9]+\\.[0-9]+)";
  const std::string version = versions_in("CMakeLists.txt", "project\\(gdsim VERSION " + number).front();
  CHECK(versions_in("CHANGELOG.md", "\n## " + number).front() == version);
  CHECK(versions_in("CITATION.cff", "\nversion: " + number) == std::vector{version});
  for (const char* file : {"tools/ci/action.yml", "tools/ci/gitlab.yml"})
    CHECK(versions_in(file, "gdsim-" + number + "-linux") == std::vector{version});
  const std::string minor = version.substr(0, version.rfind('.'));
  for (const std::string& wanted : versions_in("tests/package/CMakeLists.txt", "find_package\\(gdsim ([0-9.]+)"))
    CHECK(wanted == minor);
}
