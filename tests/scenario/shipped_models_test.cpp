#include "support/builders.hpp"

#include <gdsim/scenario/read_device.hpp>
#include <gdsim/scenario/yaml_document.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Keys whose values are words, not numbers.
const std::set<std::string> kWords{"device", "name", "vendor", "terms", "base", "sources", "kind"};

}  // namespace

TEST_CASE("every shipped model can be used and is called by its file's name") {
  SourceFiles sources;
  ModelLibrary models({source_path("models")}, sources);
  REQUIRE_FALSE(models.names().empty());
  for (const std::string& name : models.names()) {
    INFO(name);
    Diagnostics problems;
    YamlNode reference;
    reference.text = name;
    const auto device = read_device(reference, source_path("models"), models, ValueReader(problems));
    CHECK(problems.empty());
    REQUIRE(device.has_value());
    CHECK(device->id == name);
    CHECK_FALSE(device->name.empty());
    CHECK_FALSE(device->vendor.empty());
  }
}

TEST_CASE("every number of a shipped model has a source") {
  SourceFiles sources;
  ModelLibrary models({source_path("models")}, sources);
  for (const std::string& name : models.names()) {
    Diagnostics problems;
    const ValueReader values(problems);
    YamlNode reference;
    reference.text = name;
    const auto root = models.resolve(reference, source_path("models"), values);
    REQUIRE(root.has_value());
    const YamlNode* given = root->find("sources");
    REQUIRE(given != nullptr);
    for (const YamlEntry& entry : root->entries) {
      INFO(name << "." << entry.key);
      if (!kWords.contains(entry.key)) CHECK(given->find(entry.key) != nullptr);
    }
  }
}
