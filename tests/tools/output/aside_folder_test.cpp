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

TEST_CASE("files of the user stay under names in which gdsim writes aside") {
  const TemporaryFolder folder;
  const std::vector<std::string> mine{".gdsim-partial-7/timeline.csv", ".gdsim-partial-7-0/notes.txt",
                                      ".gdsim-partial-7-1", ".gdsim-partial-7-1-12345", ".gdsim-partial-x/output"};
  for (const std::string& name : mine) folder.write(name, "mine");
  for (int times = 0; times < 2; ++times) REQUIRE(run_into(folder).status == 0);
  REQUIRE(run_gdsim({"report", kVectorAdd4, "-o", (folder.path() / "page.html").string()}).status == 0);
  for (const std::string& name : mine) CHECK(read_file(folder.path() / name) == "mine");
}

TEST_CASE("of what a killed run wrote aside, what it listed goes, and what the user put there stays") {
  const TemporaryFolder folder;
  const std::string aside = ".gdsim-partial-7-0/";
  folder.write(aside + ".gdsim-files", "timeline.csv\ncase/cores.csv\n../victim\nlink/x\nnotes");
  folder.write(aside + "timeline.csv", "half");
  folder.write(aside + "case/cores.csv", "half");
  const std::string notes = folder.write(aside + "notes", "mine");  // its line was cut off
  const std::string victim = folder.write("victim", "mine"), linked = folder.write("elsewhere/x", "mine");
  fs::create_directory_symlink("../elsewhere", folder.path() / aside / "link");
  REQUIRE(run_into(folder).status == 0);
  CHECK_FALSE(fs::exists(folder.path() / aside / "timeline.csv"));
  CHECK_FALSE(fs::exists(folder.path() / aside / "case"));
  for (const std::string& file : {notes, victim, linked}) CHECK(read_file(file) == "mine");
}

TEST_CASE("what others may have put into a folder that a killed run left is not removed") {
  const TemporaryFolder folder;
  const std::string aside = ".gdsim-partial-7-0/";
  folder.write(aside + ".gdsim-files", "timeline.csv\n");
  const std::string file = folder.write(aside + "timeline.csv", "half");
  fs::permissions(folder.path() / aside, fs::perms::others_write, fs::perm_options::add);
  REQUIRE(run_into(folder).status == 0);
  CHECK(read_file(file) == "half");
  fs::permissions(folder.path() / aside, fs::perms::others_write, fs::perm_options::remove);
  REQUIRE(run_into(folder).status == 0);
  CHECK_FALSE(fs::exists(file));
}

TEST_CASE("what lies in the place of a folder of results is not lost where it is no folder") {
  const TemporaryFolder folder;
  const std::string out = folder.write("out", "mine");
  CHECK_THAT(run_into(folder).err, Catch::Contains("it is a file; a folder is needed"));
  CHECK(read_file(out) == "mine");
}
