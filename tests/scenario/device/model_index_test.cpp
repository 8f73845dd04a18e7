#include "support/builders.hpp"
#include "support/temporary_folder.hpp"
#include <gdsim/scenario/device/models.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <catch2/catch.hpp>

#include <fstream>

using namespace gdsim;
using namespace gdsim::testing;
namespace fs = std::filesystem;

namespace {

void put(const fs::path& file, const std::string& text = "cores: 1\n") {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

}  // namespace

TEST_CASE("a model is found by its name as it is in the list of all models") {
  const TemporaryFolder folder;
  const fs::path first = folder.path() / "first";
  const fs::path second = folder.path() / "second";
  put(first / "b/both.yaml");
  put(first / "c/both.yaml");
  put(first / "c/own.yaml");
  put(first / "own.yaml");
  put(first / "terms/words.yaml");
  put(first / "c/deep/deeper.yaml");
  put(second / "own.yaml");
  put(second / "other.yaml");
  const ModelIndex listed({first, folder.path() / "none", second});
  REQUIRE(listed.all().size() == 3);
  const ModelIndex asked({first, folder.path() / "none", second});
  for (const std::string name :
       {"both", "own", "other", "words", "deeper", "none", "", ".", "..", "first/own", "own.yaml"}) {
    INFO(name);
    const auto in_list = listed.all().find(name);
    const auto found = asked.find(name);
    CHECK(found.has_value() == (in_list != listed.all().end()));
    if (found) CHECK(*found == in_list->second);
    CHECK(listed.find(name) == found);
  }
  CHECK(asked.find("own") == first / "own.yaml");
  CHECK(asked.find("both") == first / "b/both.yaml");
}

TEST_CASE("a name with a null character, or longer than a file's can be, is no model") {
  const TemporaryFolder folder;
  put(folder.path() / "a.yaml");
  const ModelIndex index({folder.path()});
  CHECK_FALSE(index.find(std::string("a.yaml\0x", 8)).has_value());
  CHECK_FALSE(index.find(std::string(100'000, 'a')).has_value());
  CHECK(index.find("a").has_value());
}

TEST_CASE("each shipped model's file is called as the device in it, which makes the names of files an index") {
  std::size_t count = 0;
  const ModelIndex index({source_path("models")});
  for (const auto& [name, file] : index.all()) {
    INFO(file);
    const SourceText text(file.string(), read_file(file.string()));
    const auto device = read_yaml_value(text, "device");
    REQUIRE(device.has_value());
    CHECK(device->text == name);
    ++count;
  }
  CHECK(count > 50);
}
