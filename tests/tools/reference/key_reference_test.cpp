#include "scenario/schemas.hpp"
#include "support/json_of_yaml.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <gdsim/scenario/keys/keys.hpp>

#include <reference/key_reference.hpp>
#include <reference/reference_text.hpp>

#include <catch2/catch.hpp>

#include <map>
#include <set>

// `gdsim help scenario` and `gdsim help device` are made from the schemas: they list the keys that the reader knows,
// and every example can be read.

using namespace gdsim;
using namespace gdsim::testing;
using gdsim::cli::KeyEntry;
using gdsim::cli::KeySection;
using nlohmann::json;

namespace {

using KeySet = std::set<std::string>;

template <class Keys>
KeySet keys_of(const Keys& keys) {
  return {keys.begin(), keys.end()};
}

std::map<std::string, KeySet> keys_by_path(const std::vector<KeySection>& sections) {
  std::map<std::string, KeySet> keys;
  for (const KeySection& section : sections)
    for (const KeyEntry& key : section.keys) CHECK(keys[section.path].insert(key.name).second);
  return keys;
}

const std::map<std::string, KeySet> kDispatchKeys{{"dispatch", keys_of(keys::kDispatch)},
                                                  {"dispatch.interval", keys_of(keys::kInterval)},
                                                  {"dispatch.batch", keys_of(keys::kBatch)},
                                                  {"dispatch.batch.grid_at_least", keys_of(keys::kPerCoreCount)},
                                                  {"dispatch.partition", keys_of(keys::kPartition)},
                                                  {"dispatch.preemption", keys_of(keys::kPreemption)},
                                                  {"dispatch.preemption.save", keys_of(keys::kContextMove)}};

/// All keys of a scenario that its reader knows, by the path under which they are listed.
std::map<std::string, KeySet> keys_of_scenarios() {
  std::map<std::string, KeySet> keys = kDispatchKeys;
  const std::string steps = "kernels.NAME.program[]";
  keys[""] = keys_of(keys::kScenario);
  keys["buffers.NAME"] = keys_of(keys::kBuffer);
  keys["kernels.NAME"] = keys_of(keys::kKernel);
  keys["kernels.NAME.spill"] = keys_of(keys::kSpill);
  keys["kernels.NAME.cluster"] = keys_of(keys::kClusterSizes);
  keys["kernels.NAME.children"] = keys_of(keys::kChildren);
  keys["kernels.NAME.variation"] = keys_of(keys::kVariation);
  keys[steps] = keys_of(keys::kStep);
  keys[steps + ".launch"] = keys_of(keys::kChild);
  keys[steps + ".memory"] = keys_of(keys::kMemoryStep);
  keys[steps + ".memory.written"] = keys_of(keys::kWritten);
  keys[steps + ".store"] = keys_of(keys::kStoreStep);
  keys[steps + ".store.written"] = keys_of(keys::kWritten);
  keys[steps + ".wait_memory"] = keys_of(keys::kWaitMemory);
  keys[steps + ".signal"] = keys_of(keys::kSignal);
  keys[steps + ".wait"] = keys_of(keys::kWait);
  keys[steps + ".issue"] = keys_of(keys::kIssueStep);
  keys[steps + ".issue.l1[]"] = keys_of(keys::kL1Access);
  keys[steps + ".slm"] = keys_of(keys::kSlmStep);
  keys[steps + ".atomic"] = keys_of(keys::kAtomic);
  keys[steps + ".loop"] = keys_of(keys::kLoop);
  keys[steps + ".only"] = keys_of(keys::kOnly);
  keys[steps + ".tiles"] = keys_of(keys::kTiles);
  keys["launches[]"] = keys_of(keys::kLaunch);
  keys["launches[].copy"] = keys_of(keys::kCopy);
  keys["launches[].collective"] = keys_of(keys::kCollective);
  keys["links[]"] = keys_of(keys::kLink);
  keys["launches[].after[]"] = keys_of(keys::kAfter);
  keys["queues.NAME"] = keys_of(keys::kQueue);
  keys["queues.NAME.cores"] = keys_of(keys::kOwnCores);
  keys["cases[]"] = keys_of(keys::kCase);
  keys["expect[]"] = keys_of(keys::kExpectation);
  keys["expect[].launches.NAME"] = keys_of(keys::kLaunchTimes);
  keys["expect[].share_on_core"] = keys_of(keys::kShareOnCore);
  return keys;
}

std::map<std::string, KeySet> keys_of_devices() {
  std::map<std::string, KeySet> keys = kDispatchKeys;
  keys[""] = keys_of(keys::kDevice);
  keys["terms"] = keys_of(keys::kTerms);
  keys["core_groups[]"] = keys_of(keys::kCoreGroup);
  keys["contexts"] = keys_of(keys::kContexts);
  keys["clock"] = keys_of(keys::kClock);
  keys["power"] = keys_of(keys::kPower);
  keys["clusters"] = keys_of(keys::kClusters);
  keys["large_grf"] = keys_of(keys::kLargeGrf);
  keys["slm"] = keys_of(keys::kSlm);
  keys["registers"] = keys_of(keys::kRegisters);
  keys["scalar_registers"] = keys_of(keys::kScalarRegisters);
  keys["modes.NAME"] = keys_of(keys::kMode);
  keys["launch_cost"] = keys_of(keys::kLaunchCost);
  keys["slm_access"] = keys_of(keys::kSlmAccess);
  keys["l1"] = keys_of(keys::kL1);
  keys["written_sector"] = keys_of(keys::kWrittenSector);
  keys["atomics"] = keys_of(keys::kAtomics);
  keys["barrier_cost"] = keys_of(keys::kBarrierCost);
  keys["memory"] = keys_of(keys::kMemory);
  keys["sources.NAME"] = keys_of(keys::kSource);
  keys["memory.levels[]"] = keys_of(keys::kMemoryLevel);
  keys["copy"] = keys_of(keys::kCopyEngines);
  keys["graph"] = keys_of(keys::kGraph);
  keys["submission"] = keys_of(keys::kSubmission);
  keys["partitions.NAME"] = keys_of(keys::kDevicePartition);
  keys["hardware_queues"] = keys_of(keys::kHardwareQueues);
  keys["defaults"] = keys_of(keys::kDefaults);
  keys["defaults.memory"] = keys_of(keys::kDefaultMemory);
  keys["defaults.copy"] = keys_of(keys::kDefaultCopy);
  return keys;
}

/// Calls `visit(schema, name, property)` for every property anywhere in a schema.
template <class Visit>
void for_each_property(const json& node, Visit visit) {
  if (node.is_object() && node.contains("properties"))
    for (const auto& [name, property] : node["properties"].items()) visit(name, property);
  for (const json& part : node)
    if (part.is_structured()) for_each_property(part, visit);
}

}  // namespace

TEST_CASE("the reference lists the keys that the reader of scenarios knows, all of them and no others") {
  CHECK(keys_by_path(cli::scenario_keys()) == keys_of_scenarios());
}

TEST_CASE("the reference lists the keys that the reader of devices knows, all of them and no others") {
  CHECK(keys_by_path(cli::device_keys()) == keys_of_devices());
}

TEST_CASE("every key has a sentence, and an example that names it and is YAML") {
  for (const auto& sections : {cli::scenario_keys(), cli::device_keys()})
    for (const KeySection& section : sections)
      for (const KeyEntry& key : section.keys) {
        INFO(section.path << " " << key.name << ": " << key.example);
        CHECK_THAT(key.description, Catch::EndsWith("."));
        if (key.example == key.name) continue;  // it stands alone
        const json example = json_of_text(key.example);
        REQUIRE(example.is_object());
        CHECK(example.size() == 1);
        CHECK(example.contains(key.name));
      }
}

TEST_CASE("the schema of every key accepts its example, and the words and numbers that it names") {
  std::size_t examples = 0;
  for (const std::string file : {"scenarios/scenario.schema.json", "models/device.schema.json"})
    for_each_property(schema_file(file), [&](const std::string& name, const json& property) {
      INFO(file << ": " << name);
      REQUIRE(property.contains("examples"));
      for (const json& example : property["examples"]) CHECK(schema_part_accepts(file, property, example));
      ++examples;
    });
  CHECK(examples > 230);
}

TEST_CASE("what is allowed stands beside a key: words, and the range of a number") {
  std::map<std::string, std::string> allowed;
  for (const KeySection& section : cli::device_keys())
    for (const KeyEntry& key : section.keys) allowed[section.path + "/" + key.name] = key.allowed;
  CHECK(allowed["dispatch/admission"] == "whole | partial | spread");
  CHECK(allowed["/cores"] == "1 to 100,000");
  CHECK(allowed["dispatch/ports"] == "1 to 4,294,967,295 | unlimited");
  CHECK(allowed["memory/in_flight"] == "");
}

TEST_CASE("the reference as text fits into 100 columns, and as a manual page has every key") {
  for (const cli::ReferenceTopic& topic : cli::reference_topics()) {
    const Ran help = run_gdsim({"help", std::string(topic.name)});
    CHECK(help.status == 0);
    CHECK(help.out == cli::reference_text(topic));
    for (const std::string& line : lines_of(help.out)) {
      INFO(line);
      CHECK(line.size() <= 100);
    }
    const std::string page = cli::reference_page(topic);
    CHECK_THAT(page, Catch::StartsWith(".TH GDSIM\\-"));
    if (topic.name != "scenario" && topic.name != "device") continue;
    for (const KeySection& section : topic.name == "scenario" ? cli::scenario_keys() : cli::device_keys())
      for (const KeyEntry& key : section.keys) CHECK(page.find("\\fB" + key.name + "\\fR") != std::string::npos);
  }
}

TEST_CASE("the glossary fits on one screen and names the thread, the port and the states in every ecosystem's words") {
  const std::string words = run_gdsim({"help", "words"}).out;
  CHECK(lines_of(words).size() <= 50);
  for (const std::string word : {"SYCL", "CUDA", "HIP", "VTune", "sub-group", "wavefront", "GRFs of a thread", "port  ",
                                 "running  ", "stalled  ", "max-1550-stack"})
    CHECK_THAT(words, Catch::Contains(word));
  const cli::ReferenceTopic* topic = cli::find_topic("words");
  REQUIRE(topic != nullptr);
  CHECK_THAT(cli::reference_page(*topic), Catch::Contains("wavefront"));
}

TEST_CASE("help on what is neither a command nor a topic names both") {
  const Ran ran = run_gdsim({"help", "scenaro"});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("known: run") && Catch::Contains("topics: scenario, device, outputs, words"));
}

TEST_CASE("help of any word says where keys, words of other tools, columns and options speak of it") {
  using Catch::Contains;
  for (const std::string word : {"__syncthreads", "__SYNCTHREADS"})
    CHECK_THAT(run_gdsim({"help", word}).out, Contains("barrier      group_barrier"));
  const std::string barrier = run_gdsim({"help", "barrier"}).out;
  CHECK_THAT(barrier, Contains("  kernels.NAME.program[].barrier\n      Waits for all threads of the work-group"));
  CHECK_THAT(barrier, Contains("also in") && Contains("barriers_per_core") && Contains("stalled_at_barrier") &&
                          Contains("gdsim occupancy --barriers: "));
  const std::string range = run_gdsim({"help", "global_range"}).out;
  CHECK_THAT(range, Catch::StartsWith("gdsim's word is `global`, work-items of the launch.\n") &&
                        Contains("kernels.NAME.global\n"));
  for (const std::string nothing : {"", "zzz"}) {
    const Ran ran = run_gdsim({"help", nothing});
    CHECK(ran.status == 2);
    CHECK(ran.out.empty());
    CHECK_THAT(ran.err, Contains("unknown command"));
  }
}
