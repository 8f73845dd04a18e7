#include "scenario/schemas.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <reference/key_reference.hpp>
#include <reference/reference_text.hpp>

#include <catch2/catch.hpp>

#include <map>

// `gdsim help scenario` and `gdsim help device` are made from the schemas, and every example can be read.

using namespace gdsim;
using namespace gdsim::testing;
using gdsim::cli::KeyEntry;
using gdsim::cli::KeySection;
using nlohmann::json;

namespace {

/// Calls `visit(schema, name, property)` for every property anywhere in a schema.
template <class Visit>
void for_each_property(const json& node, Visit visit) {
  if (node.is_object() && node.contains("properties"))
    for (const auto& [name, property] : node["properties"].items()) visit(name, property);
  for (const json& part : node)
    if (part.is_structured()) for_each_property(part, visit);
}

}  // namespace

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
  CHECK(allowed["memory/in_flight"] == "1 B to 1024 GiB");
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
  const std::vector<std::pair<std::string, std::string>> answers{
      {"workgroup", "  work-group   work-group "},
      {"EuOccupancy", "occupancy    "},
      {"__launch_bounds__", "gdsim's word is `registers`"},
      {"malloc_shared", "buffers      "},
      {"usm", "buffers      "},
      {"max1550", "DEVICES of Intel's Max 1550"},
      {"b580", "`device: arc-b580`"},
      {"a100", "  `device: a100-40gb`\n  `device: a100-80gb`\n"},
      {"tiger", "  tiger lake: `device: xe-lp-tgl`\n"},
      {"ccs-1", "  `device: {base: max-1550-stack, partition: ccs-1}`\n"},
      {"cpx", "  `device: {base: mi300x, partition: cpx-nps1}`\n"},
      {"nps1", "  `device: {base: mi300x, partition: cpx-nps1}`\n"}};
  for (const auto& [word, answer] : answers) CHECK_THAT(run_gdsim({"help", word}).out, Contains(answer));
  for (const std::string nothing : {"", "-", "zzz"}) {
    const Ran ran = run_gdsim({"help", nothing});
    CHECK(ran.status == 2);
    CHECK(ran.out.empty());
    CHECK_THAT(ran.err, Contains("unknown command"));
  }
}
