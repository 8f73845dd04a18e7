#include "scenario/schemas.hpp"
#include "support/builders.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>

// The JSON Schemas, which editors use, agree with the reader, which checks files, on what can be written.

using namespace gdsim;
using namespace gdsim::testing;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

json json_of_file(const fs::path& file) { return json_of_text(read_file(file)); }

std::vector<fs::path> yaml_files(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(source_path(folder)))
    if (entry.path().extension() == ".yaml" && entry.path().parent_path().filename() != "terms")
      files.push_back(entry.path());
  return files;
}

}  // namespace

TEST_CASE("the schemas accept every shipped scenario and model") {
  for (const fs::path& file : yaml_files("scenarios")) {
    INFO(file);
    CHECK(scenario_schema_accepts(json_of_file(file)));
  }
  for (const fs::path& file : yaml_files("models")) {
    INFO(file);
    CHECK(device_schema_accepts(json_of_file(file)));
  }
}

TEST_CASE("the schema rejects every bad scenario whose fault a schema can express") {
  for (const fs::path& file : yaml_files("tests/fixtures/bad/schema")) {
    INFO(file);
    CHECK_FALSE(scenario_schema_accepts(json_of_file(file)));
  }
}

TEST_CASE("the schema accepts what is wrong only in its meaning") {
  // A fixture that begins to fail here has become one for the schema: move it.
  for (const fs::path& file : yaml_files("tests/fixtures/bad/meaning")) {
    INFO(file);
    CHECK(scenario_schema_accepts(json_of_file(file)));
  }
}
