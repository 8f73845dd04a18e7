#include "support/builders.hpp"
#include "support/golden.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <regex>
#include <sstream>

// In a README, a line `$ gdsim ...` within a block of code is followed by what it prints. tools/approve writes it anew.

using namespace gdsim::testing;
namespace fs = std::filesystem;

namespace {

/// A folder in which READMEs' commands work: models and scenarios of the sources, and `mine.yaml` of the front page.
class ReaderFolder {
 public:
  ReaderFolder() {
    fs::create_directory_symlink(source_path("scenarios"), folder_.path() / "scenarios");
    const std::string front = read_file(source_path("README.md"));
    const std::size_t begin = front.find("\n", front.find("```yaml\n", front.find("`mine.yaml`"))) + 1;
    folder_.write("mine.yaml", front.substr(begin, front.find("```", begin) - begin));
  }
  /// What the command prints. It succeeds, and says nothing on standard error.
  std::string printed(const std::string& command) const {
    const Ran ran = run_shell("cd " + folder_.path().string() + " && PATH=$(dirname \"$GDSIM\"):$PATH && " + command);
    INFO(command << "\n" << ran.err);
    CHECK(ran.status == 0);
    CHECK(ran.err.empty());
    CHECK_FALSE(ran.out.empty());
    return ran.out;
  }

 private:
  TemporaryFolder folder_;
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

}  // namespace

TEST_CASE("golden: commands that READMEs show print what stands below them") {
  const ReaderFolder folder;
  int commands = 0;
  for (const std::string path : {"README.md", "models/README.md", "scenarios/README.md", "tools/README.md"}) {
    const Regenerated found = regenerated(read_file(source_path(path)), folder);
    CHECK(difference_to_approved(path, found.text).empty());
    commands += found.commands;
  }
  CHECK(commands >= 4);
}

TEST_CASE("links between READMEs lead somewhere") {
  const std::regex link("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");
  for (const std::string path : {"README.md", "models/README.md", "scenarios/README.md", "sim/README.md",
                                 "tests/README.md", "tools/README.md"}) {
    const std::string text = read_file(source_path(path));
    for (std::sregex_iterator match(text.begin(), text.end(), link), end; match != end; ++match) {
      INFO(path << ": " << (*match)[1]);
      CHECK(fs::exists(fs::path(source_path(path)).parent_path() / (*match)[1].str()));
    }
  }
}
