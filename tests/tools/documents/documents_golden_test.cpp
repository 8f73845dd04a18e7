#include "support/golden.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <regex>
#include <string>

// What packages hold of the commands, made here and now by the program that makes it with every build.

using namespace gdsim::testing;

namespace {

/// A folder with manual pages and completions.
struct Documents {
  TemporaryFolder folder;

  Documents() {
    const std::string program = std::string(GDSIM_BINARY_ROOT) + "/tools/packaging/gdsim_documents";
    REQUIRE(run_shell(program + " '" + folder.path().string() + "'").status == 0);
  }
  /// Without the program's version.
  std::string text(const std::string& path) const {
    return std::regex_replace(read_file(folder.path() / path), std::regex("\"gdsim [0-9.]+\""), "\"gdsim VERSION\"");
  }
};

}  // namespace

TEST_CASE("golden: manual pages, of the program and of the command with the most options") {
  const Documents documents;
  CHECK(difference_to_golden("documents/gdsim.1", documents.text("man1/gdsim.1")).empty());
  CHECK(difference_to_golden("documents/gdsim-run.1", documents.text("man1/gdsim-run.1")).empty());
}

TEST_CASE("golden: completions of three shells") {
  const Documents documents;
  CHECK(difference_to_golden("documents/gdsim.bash", documents.text("bash/gdsim")).empty());
  CHECK(difference_to_golden("documents/_gdsim.zsh", documents.text("zsh/_gdsim")).empty());
  CHECK(difference_to_golden("documents/gdsim.fish", documents.text("fish/gdsim.fish")).empty());
}

TEST_CASE("documents are as the build made them") {
  const Documents documents;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(documents.folder.path())) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const auto name = std::filesystem::relative(entry.path(), documents.folder.path());
    INFO(name);
    CHECK((read_file(entry.path()) == read_file(std::filesystem::path(GDSIM_BINARY_ROOT) / "documents" / name)));
  }
  CHECK(files > 10);
}

TEST_CASE("the program that makes documents needs a folder, one that it can write to") {
  const std::string program = std::string(GDSIM_BINARY_ROOT) + "/tools/packaging/gdsim_documents";
  for (const char* arguments : {"", " a b"}) {
    const Ran ran = run_shell(program + arguments);
    CHECK(ran.status == 2);
    CHECK(ran.err == "Usage: gdsim_documents DIR\n");
  }
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "man1/gdsim.1");
  const Ran ran = run_shell(program + " '" + folder.path().string() + "'");
  CHECK(ran.status == 1);
  CHECK_THAT(ran.err, Catch::EndsWith("/man1/gdsim.1: cannot be written\n"));
}
