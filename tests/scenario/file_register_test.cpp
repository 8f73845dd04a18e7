#include "support/temporary_folder.hpp"
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/scenario/scenario_reader.hpp>

#include <catch2/catch.hpp>

#include <filesystem>

using namespace gdsim;
using namespace gdsim::testing;
namespace fs = std::filesystem;

TEST_CASE("a registered file is found by another spelling, a link, a hard link, and after it was removed") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("a.yaml", "a");
  fs::create_symlink("a.yaml", folder.path() / "link");
  fs::create_hard_link(file, folder.path() / "hard");
  fs::create_directory(folder.path() / "inner");
  FileRegister known;
  known.add(file, "the scenario");
  for (const std::string name : {"a.yaml", "./a.yaml", "inner/../a.yaml", "link", "hard"}) {
    INFO(name);
    const auto found = known.find(folder.path() / name);
    REQUIRE(found);
    CHECK(found->name == file.string());
    CHECK(found->role == "the scenario");
  }
  CHECK_FALSE(known.find(folder.path() / "b.yaml"));
  fs::remove(folder.path() / "hard");
  fs::remove(file);
  CHECK(known.find(file));
  CHECK(known.find(folder.path() / "link"));
}

TEST_CASE("a file that is to be made is found through a link that leads to it") {
  const TemporaryFolder folder;
  fs::create_symlink("missing.csv", folder.path() / "link.csv");
  FileRegister known;
  known.add(folder.path() / "missing.csv", "an output");
  CHECK(known.find(folder.path() / "link.csv"));
  CHECK(known.find(folder.path() / "./missing.csv"));
}

TEST_CASE("what is no regular file is not registered") {
  FileRegister known;
  known.add("/dev/null", "an input");
  CHECK_FALSE(known.find("/dev/null"));
}

TEST_CASE("the reader of texts registers what it reads, as what it was read") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", "a");
  FileRegister known;
  SourceFiles files(known);
  files.read(file, "a device model");
  REQUIRE(known.find(file));
  CHECK(known.find(file)->role == "a device model");
}
