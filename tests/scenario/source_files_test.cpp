#include "support/temporary_folder.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("a file of as many bytes as are read is read, a longer one is refused") {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", std::string(100'000, 'x'));
  SourceFiles files;
  CHECK(files.read(file, 100'000).text().size() == 100'000);
  CHECK_THROWS_AS(files.read(file, 99'999), InputError);
  CHECK_THROWS_WITH(files.read(file, 99'999), Catch::Contains("is longer than 99999 bytes, the most that is read"));
}

TEST_CASE("a listener is told of each file once, before it is read, by its name and role") {
  struct Names : InputListener {
    void on_input(const std::filesystem::path& file, int descriptor, std::string_view role) override {
      CHECK(descriptor >= 0);
      told.push_back(file.filename().string() + ", " + std::string(role));
    }
    std::vector<std::string> told;
  };
  const TemporaryFolder folder;
  const std::string scenario = folder.write("one.yaml", "text");
  const std::string other = folder.write("two.yaml", "text");
  Names names;
  SourceFiles files(names);
  files.read(scenario, "the scenario");
  files.read(other);
  files.read(scenario, "the scenario");
  CHECK_THROWS_AS(files.read((folder.path() / "none.yaml").string()), InputError);
  CHECK(names.told == std::vector<std::string>{"one.yaml, the scenario", "two.yaml, an input"});
}
