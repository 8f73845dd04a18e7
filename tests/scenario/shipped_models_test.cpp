#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <gdsim/device/dispatcher_cores.hpp>
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

TEST_CASE("every shipped product says how fast its memory is, and runs a kernel of one memory step") {
  SourceFiles sources;
  ModelLibrary models({source_path("models")}, sources);
  std::size_t products = 0;
  for (const std::string& name : models.names()) {
    INFO(name);
    Diagnostics problems;
    YamlNode reference;
    reference.text = name;
    const auto device = read_device(reference, source_path("models"), models, ValueReader(problems));
    REQUIRE(device.has_value());
    if (device->kind == DeviceKind::family || name == "tiny") continue;
    ++products;
    REQUIRE(device->memory.has_value());
    const std::uint32_t lanes = device->sub_group_sizes.back();
    const ReadText read =
        read_text("scenario: one memory step\ndevice: " + name +
                  "\nkernels:\n  k: {global: 1048576, local: 256, sub_group: " + std::to_string(lanes) +
                  ", program: [{memory: 64 KiB}]}\nlaunches: [{kernel: k}]\n");
    REQUIRE(read.problems == "");
    const Scenario& one = read.scenario();
    const RunResult result = simulate(one.device, one.dispatch, one.workload);
    CHECK(result.record.outcome == Outcome::completed);
    // All bytes come from the last level: it can be reached, and is not exceeded.
    const MemoryLevel& last = device->memory->levels.back();
    REQUIRE(last.bandwidth.has_value());
    const auto memories = static_cast<double>(dispatcher_cores(*device, last.scope)->size());
    const double seconds = static_cast<double>(result.record.duration().count) * 1e-12;
    const double bytes = 1048576.0 / lanes * 65536.0;
    CHECK(bytes / seconds <= 1.001 * memories * static_cast<double>(last.bandwidth->count));
  }
  CHECK(products >= 45);
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
