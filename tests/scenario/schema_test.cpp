#include "scenario/schemas.hpp"
#include "support/builders.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/scenario/keys/keys.hpp>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>

// The JSON Schemas, which editors use, and the reader, which checks files, agree.

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

template <class Keys>
std::set<std::string> set_of(const Keys& keys) {
  return {keys.begin(), keys.end()};
}

std::set<std::string> properties(const json& object) {
  std::set<std::string> names;
  for (const auto& [name, value] : object["properties"].items()) names.insert(name);
  return names;
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

TEST_CASE("schemas and reader know the same keys") {
  const json scenario = schema_file("scenarios/scenario.schema.json");
  const json& own = scenario["definitions"];
  CHECK(properties(scenario) == set_of(keys::kScenario));
  CHECK(properties(own["kernel"]) == set_of(keys::kKernel));
  CHECK(properties(own["cluster_sizes"]) == set_of(keys::kClusterSizes));
  CHECK(properties(own["kernel"]["properties"]["children"]) == set_of(keys::kChildren));
  CHECK(properties(own["kernel"]["properties"]["variation"]) == set_of(keys::kVariation));
  CHECK(properties(own["launch"]) == set_of(keys::kLaunch));
  CHECK(properties(own["launch"]["properties"]["copy"]) == set_of(keys::kCopy));
  CHECK(properties(own["queue"]) == set_of(keys::kQueue));
  CHECK(properties(own["own_cores"]) == set_of(keys::kOwnCores));
  CHECK(properties(own["step"]["anyOf"].back()["properties"]["launch"]) == set_of(keys::kChild));
  const auto& steps = own["step"]["anyOf"].back()["properties"];
  CHECK(properties(steps["memory"]["anyOf"][1]) == set_of(keys::kMemoryStep));
  CHECK(properties(steps["store"]["anyOf"][1]) == set_of(keys::kStoreStep));
  CHECK(properties(steps["issue"]["anyOf"][1]) == set_of(keys::kIssueStep));
  const auto& accesses = steps["issue"]["anyOf"][1]["properties"][std::string(keys::kAccessesOfL1)];
  CHECK(properties(accesses["anyOf"][1]["items"]) == set_of(keys::kL1Access));
  CHECK(properties(steps["wait_memory"]) == set_of(keys::kWaitMemory));
  CHECK(properties(steps["signal"]["anyOf"][1]) == set_of(keys::kSignal));
  CHECK(properties(steps["wait"]["anyOf"][1]) == set_of(keys::kWait));
  CHECK(properties(own["case"]) == set_of(keys::kCase));
  CHECK(properties(own["expectation"]) == set_of(keys::kExpectation));
  const json device = schema_file("models/device.schema.json")["definitions"];
  CHECK(properties(device["device"]) == set_of(keys::kDevice));
  CHECK(properties(device["slm"]) == set_of(keys::kSlm));
  CHECK(properties(device["device"]["properties"]["l1"]) == set_of(keys::kL1));
  CHECK(properties(device["registers"]) == set_of(keys::kRegisters));
  CHECK(properties(device["scalar_registers"]) == set_of(keys::kScalarRegisters));
  CHECK(properties(device["mode"]) == set_of(keys::kMode));
  CHECK(properties(device["device_partition"]) == set_of(keys::kDevicePartition));
  CHECK(properties(device["device"]["properties"]["submission"]) == set_of(keys::kSubmission));
  CHECK(properties(device["device"]["properties"]["launch_cost"]["anyOf"][1]) == set_of(keys::kLaunchCost));
  CHECK(properties(device["device"]["properties"]["clock"]["anyOf"][1]) == set_of(keys::kClock));
  CHECK(properties(device["device"]["properties"]["large_grf"]) == set_of(keys::kLargeGrf));
  CHECK(properties(device["device"]["properties"]["core_groups"]["items"]) == set_of(keys::kCoreGroup));
  CHECK(properties(device["device"]["properties"]["clusters"]) == set_of(keys::kClusters));
  CHECK(properties(device["device"]["properties"]["contexts"]) == set_of(keys::kContexts));
  CHECK(properties(device["dispatch"]["properties"]["partition"]) == set_of(keys::kPartition));
  CHECK(properties(device["device"]["properties"]["memory"]["properties"]["levels"]["items"]) ==
        set_of(keys::kMemoryLevel));
  const json& defaults = device["device"]["properties"]["defaults"];
  CHECK(properties(defaults) == set_of(keys::kDefaults));
  CHECK(properties(defaults["properties"]["memory"]) == set_of(keys::kDefaultMemory));
  CHECK(properties(defaults["properties"]["copy"]) == set_of(keys::kDefaultCopy));
  CHECK(properties(device["terms"]) == set_of(keys::kTerms));
  CHECK(properties(device["device"]["properties"]["copy"]) == set_of(keys::kCopyEngines));
  CHECK(properties(device["dispatch"]) == set_of(keys::kDispatch));
}

TEST_CASE("every key has a description that an editor can show") {
  const json scenario = schema_file("scenarios/scenario.schema.json");
  for (const char* part : {"kernel", "launch", "queue"})
    for (const auto& [name, value] : scenario["definitions"][part]["properties"].items()) {
      INFO(part << "." << name);
      CHECK((value.contains("description") || name == "kernel"));
    }
}
