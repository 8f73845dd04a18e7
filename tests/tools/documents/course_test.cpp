#include "support/builders.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <set>
#include <vector>

// The worksheets of scenarios/course: that their commands print what stands there is a test of all READMEs.

using namespace gdsim::testing;
namespace fs = std::filesystem;

namespace {

constexpr const char* kFirst = "vector_add.md";

std::set<std::string> files_with(const std::string& extension) {
  std::set<std::string> stems;
  for (const auto& entry : fs::directory_iterator(source_path("scenarios/course")))
    if (entry.path().extension() == extension) stems.insert(entry.path().stem().string());
  return stems;
}

std::set<std::string> worksheets() {
  std::set<std::string> stems = files_with(".md");
  stems.erase("answers");
  return stems;
}

std::string page(const std::string& name) { return read_file(source_path("scenarios/course/" + name)); }

}  // namespace

TEST_CASE(
    "every worksheet of the course has a scenario, and asks for a prediction, and folds what is printed and the "
    "solution") {
  CHECK(worksheets().size() == 7);
  CHECK(worksheets() == files_with(".yaml"));
  for (const std::string& name : worksheets()) {
    INFO(name);
    const std::string text = page(name + ".md");
    std::size_t at = 0;
    for (const std::string& part : std::vector<std::string>{
             "# ", "**Predict.**", "**Run**", "](" + name + ".yaml)",
             "<details><summary>What it prints</summary>\n\n```\n$ gdsim ",
             "</details>\n\n<details><summary>Solution</summary>\n\n", "</details>\n\n**Open question.**"}) {
      INFO(part);
      const std::size_t found = text.find(part, at);
      REQUIRE(found != std::string::npos);
      at = found;
    }
    const std::string shown = text.substr(0, text.find("<details>"));
    CHECK(shown.find("$ gdsim") == std::string::npos);  // what is printed would answer the question
  }
}

TEST_CASE("from the first worksheet, `Next` leads through all of them, one after the other") {
  std::set<std::string> seen;
  for (std::string name = kFirst; !name.empty();) {
    INFO(name);
    REQUIRE(seen.insert(name).second);
    const std::string text = page(name);
    CHECK(text.starts_with("# " + std::to_string(seen.size()) + ". "));
    const std::size_t next = text.find("\nNext: [");
    name.clear();
    if (next == std::string::npos) continue;
    const std::size_t open = text.find("](", next) + 2;
    name = text.substr(open, text.find(')', open) - open);
  }
  CHECK(seen.size() == worksheets().size());
}

TEST_CASE("every open question of the course has an answer for teachers, apart from the worksheets") {
  const std::string answers = page("answers.md");
  for (std::size_t number = 1; number <= worksheets().size(); ++number) {
    INFO(number);
    CHECK(answers.find("\n**" + std::to_string(number) + ". ") != std::string::npos);
  }
  for (const std::string& name : worksheets()) CHECK(page(name + ".md").find("answers.md") == std::string::npos);
}
