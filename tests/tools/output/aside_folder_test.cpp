#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

// What lies under a name that gdsim uses while it writes, and that gdsim did not write, is the user's.

using namespace gdsim::testing;
namespace fs = std::filesystem;

namespace {

Ran run_into(const TemporaryFolder& folder) {
  return run_gdsim({"run", kVectorAdd4, "-o", (folder.path() / "out").string()});
}

}  // namespace

TEST_CASE("a user's folder with the name of a commit is refused before the run begins, and stays") {
  const TemporaryFolder folder;
  const std::string notes = folder.write("out/.gdsim-commit/notes.txt", "mine");
  folder.write("out/.gdsim-commit/files/timeline.csv", "mine, too");
  const std::string before = folder.listing();
  const Ran ran = run_into(folder);
  CHECK(ran.status == 2);
  const std::string commit = (folder.path() / "out/.gdsim-commit").string();
  CHECK_THAT(ran.err, Catch::Contains(commit + ": error: holds what gdsim did not write") &&
                          Catch::Contains("mv " + commit + " " + commit + ".mine"));
  CHECK(folder.listing() == before);
  CHECK(read_file(notes) == "mine");
  fs::rename(commit, commit + ".mine");
  CHECK(run_into(folder).status == 0);
  CHECK(run_into(folder).status == 0);
  CHECK(read_file(commit + ".mine/notes.txt") == "mine");
}

TEST_CASE("a user's file or link with the name of a commit is refused before the run begins, and stays") {
  const TemporaryFolder folder;
  const std::string commit = folder.write("out/.gdsim-commit", "mine");
  const Ran ran = run_into(folder);
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains(".gdsim-commit: error: cannot be written: it is no folder; move it away"));
  CHECK(read_file(commit) == "mine");
  fs::remove(commit);
  const std::string target = folder.write("elsewhere/files/timeline.csv", "mine");
  fs::create_directory_symlink("../elsewhere", commit);
  CHECK(run_into(folder).status == 2);
  CHECK(fs::is_symlink(commit));
  CHECK(read_file(target) == "mine");
}

TEST_CASE("a page of a run is not read from a user's folder with the name of a commit") {
  const TemporaryFolder folder;
  REQUIRE(run_into(folder).status == 0);
  const std::string out = (folder.path() / "out").string();
  const std::string page = run_gdsim({"report", out, "-o", "-"}).out;
  folder.write("out/.gdsim-commit/files/timeline.csv", "mine");
  CHECK((run_gdsim({"report", out, "-o", "-"}).out == page));
}

TEST_CASE("files of the user stay under names in which gdsim writes aside") {
  const TemporaryFolder folder;
  folder.write("out/.gdsim-partial-7/files/timeline.csv", "mine");
  folder.write("out/.gdsim-partial-7-0/notes.txt", "mine");
  folder.write("out/.gdsim-partial-7-1", "mine");
  folder.write(".gdsim-partial-7-1", "mine");
  folder.write(".gdsim-partial-7-1-12345", "mine");
  const std::string before = folder.listing();
  REQUIRE(run_into(folder).status == 0);
  REQUIRE(run_into(folder).status == 0);
  REQUIRE(run_gdsim({"report", kVectorAdd4, "-o", (folder.path() / "page.html").string()}).status == 0);
  for (const char* name : {"out/.gdsim-partial-7/files/timeline.csv", "out/.gdsim-partial-7-0/notes.txt",
                           "out/.gdsim-partial-7-1", ".gdsim-partial-7-1", ".gdsim-partial-7-1-12345"})
    CHECK(read_file(folder.path() / name) == "mine");
}

TEST_CASE("of what a killed run wrote aside, what it listed goes, and what the user put there stays") {
  const TemporaryFolder folder;
  const std::string aside = "out/.gdsim-partial-7-0/";
  folder.write(aside + ".gdsim-files",
               "files/timeline.csv\nfiles/case/cores.csv\n../../victim\nfiles/link/x\nfiles/notes");
  folder.write(aside + "files/timeline.csv", "half");
  folder.write(aside + "files/case/cores.csv", "half");
  const std::string notes = folder.write(aside + "files/notes", "mine");  // its line was cut off
  const std::string victim = folder.write("victim", "mine"), linked = folder.write("elsewhere/x", "mine");
  fs::create_directory_symlink("../../../elsewhere", folder.path() / aside / "files/link");
  REQUIRE(run_into(folder).status == 0);
  CHECK_FALSE(fs::exists(folder.path() / aside / "files/timeline.csv"));
  CHECK_FALSE(fs::exists(folder.path() / aside / "files/case"));
  for (const std::string& file : {notes, victim, linked}) CHECK(read_file(file) == "mine");
}
