#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/scenario/device/models.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/yaml/yaml_node.hpp>
#include "support/builders.hpp"
#include "support/golden.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string_view>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// A model's mapping, its base merged in.
YamlNode tree_of(ModelLibrary& models, const std::string& name) {
  Diagnostics problems;
  YamlNode reference;
  reference.text = name;
  auto root = models.resolve(reference, source_path("models"), ValueReader(problems));
  REQUIRE(root.has_value());
  return *root;
}

/// Calls `visit(name, tree)` for every shipped model.
template <class Visit>
void for_each_model(Visit visit) {
  SourceFiles sources;
  ModelLibrary models({source_path("models")}, sources);
  REQUIRE_FALSE(models.names().empty());
  for (const std::string& name : models.names()) visit(name, tree_of(models, name));
}

/// Calls `visit(device)` for every shipped product and family.
template <class Visit>
void for_each_device(Visit visit) {
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
    visit(*device);
  }
}

/// Calls `visit(device)` for every shipped product but `tiny`, which stands for none.
template <class Visit>
void for_each_product(Visit visit) {
  for_each_device([&](const DeviceSpec& device) {
    if (device.kind == DeviceKind::product && device.id != "tiny") visit(device);
  });
}

bool is_not_verified(const std::string& source) { return source.starts_with("not verified: "); }

/// Whether a text names a document, a file of this project, or an address: a domain, `OWNER/REPOSITORY@COMMIT`, a
/// thread of a repository.
bool names_a_document(const std::string& source) {
  static const std::regex addresses(
      R"re([\w.-]+/[\w.-]+(@| at )[0-9a-f]{6,}|\b[a-z0-9-]+\.(com|org|de|pl|jp|net|dev|co)\b|arXiv \d{4}\.\d{5})re"
      R"re(|(tests|scenarios)/[\w/]+\.\w+|[\w/-]+ (issue|pull request|PRs?) \d+)re"
      R"re(|[\w-]+/[\w.-]+[ ,]+[\w/*.-]+\.(md|json|csv|log)\b)re");
  static const std::array<std::string_view, 19> documents{"CUDA C++ Programming Guide",
                                                          "CUDA C++ Best Practices Guide",
                                                          "cuda_occupancy.h",
                                                          "product page",
                                                          "tuning guide",
                                                          "white paper",
                                                          "Architecture v1.1",
                                                          "SIGMETRICS",
                                                          "ROCm documentation",
                                                          "LLVM",
                                                          "oneAPI GPU Optimization Guide",
                                                          "Intel GPU Occupancy Calculator",
                                                          "Intel Graphics Compiler",
                                                          "intel/compute-runtime",
                                                          "Mesa intel_device_info.c",
                                                          "oneAPI-samples",
                                                          "TechPowerUp",
                                                          "tinygrad/tinygrad",
                                                          "CYBIRD-D/How-to-Choose-your-LLM-Model"};
  return std::regex_search(source, addresses) ||
         std::any_of(documents.begin(), documents.end(),
                     [&](std::string_view name) { return source.find(name) != std::string::npos; });
}

/// The parts of a source between full stops and semicolons.
std::vector<std::string> sentences(const std::string& text) {
  static const std::regex end(R"([.;] +)");
  return {std::sregex_token_iterator(text.begin(), text.end(), end, -1), std::sregex_token_iterator()};
}

/// A path of sources that speaks for values of the model.
bool speaks_for_some(const YamlNode& model, const std::string& key) {
  const auto leaves = model_leaves(model);
  return std::any_of(leaves.begin(), leaves.end(),
                     [&](const ModelLeaf& leaf) { return is_at_or_below(leaf.path, key); });
}

/// Whose figure a source gives: of this card, fitted to runs, or of none of its own.
enum class Whose : std::uint8_t { own, fitted, other };

Whose whose(const std::string& source) {
  const auto says = [&](std::string_view word) { return source.find(word) != std::string::npos; };
  if (says("FITTED")) return Whose::fitted;
  for (const char* word : {"not verified", "not a measurement", "NOMINAL", "PROXY", "ASSUMED", "EXTRAPOLATED"})
    if (says(word)) return Whose::other;
  return Whose::own;
}

/// The row of a product in models/figures.csv, from its own file, without what it has from its base.
std::string row_of_figures(const YamlNode& file) {
  static const std::regex speeds(
      R"(memory\..*(bandwidth|latency)|slm_access\.latency|copy\.bandwidth|launch_latency|launch_cost.*)"
      R"(|dispatch\.(recovery|interval\.per_.*)|atomics\..*|l1\..*)");
  std::array<std::string, 3> cells;
  for (const ModelLeaf& leaf : model_leaves(file)) {
    const YamlEntry* source = source_of(file, leaf);
    if (source == nullptr || !std::regex_match(leaf.path, speeds)) continue;
    std::string& cell = cells[static_cast<std::size_t>(whose(source->value.text))];
    static const std::regex of_memory(R"(^memory\.(levels\.)?)");
    cell += (cell.empty() ? "" : ", ") + std::regex_replace(leaf.path, of_memory, "");
  }
  return file.find("device")->text + ",\"" + cells[0] + "\",\"" + cells[1] + "\",\"" + cells[2] + "\"\n";
}

}  // namespace

TEST_CASE("golden: figures.csv says of each product which figures are its own") {
  std::set<std::string> rows;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_path("models"))) {
    if (entry.path().extension() != ".yaml") continue;
    const SourceText text(entry.path().string(), read_file(entry.path().string()));
    Diagnostics problems;
    const auto file = read_yaml(text, problems);
    REQUIRE(file.has_value());
    const YamlNode* kind = file->find("kind");
    if (kind != nullptr && kind->text == "product") rows.insert(row_of_figures(*file));
  }
  CHECK(rows.size() > 50);
  std::string table = "model,by_a_source_about_this_card,fitted_to_runs,of_another_card_or_assumed\n";
  for (const std::string& row : rows) table += row;
  CHECK(difference_to_approved("models/figures.csv", table).empty());
}

TEST_CASE("every shipped model can be used and is called by its file's name") {
  for_each_device([](const DeviceSpec& device) {
    CHECK_FALSE(device.name.empty());
    CHECK_FALSE(device.vendor.empty());
  });
}

TEST_CASE("every shipped product says how fast its memory is, and runs a kernel of one memory step", "[figures]") {
  std::size_t products = 0;
  for_each_product([&](const DeviceSpec& device) {
    ++products;
    REQUIRE(device.memory.has_value());
    const std::uint32_t lanes = device.sub_group_sizes.back();
    const ReadText read =
        read_text("scenario: one memory step\ndevice: " + device.id +
                  "\nkernels:\n  k: {global: 1048576, local: 256, sub_group: " + std::to_string(lanes) +
                  ", program: [{memory: 64 KiB}]}\nlaunches: [{kernel: k}]\n");
    REQUIRE(read.problems == "");
    const Scenario& one = read.scenario();
    const RunResult result = simulate(one.device, one.dispatch, one.workload);
    CHECK(result.record.outcome == Outcome::completed);
    // All bytes come from the last level: it can be reached, and is not exceeded.
    const MemoryLevel& last = device.memory->levels.back();
    REQUIRE(last.bandwidth.has_value());
    const auto memories = static_cast<double>(core_blocks(device, last.scope)->size());
    const double seconds = static_cast<double>(result.record.active().count) * 1e-12;
    const double bytes = 1048576.0 / lanes * 65536.0;
    CHECK(bytes / seconds <= 1.001 * memories * static_cast<double>(last.bandwidth->count));
  });
  CHECK(products >= 45);
}

TEST_CASE("no kernel of FP32 instructions exceeds the peak of a shipped product, and a device full of them reaches it",
          "[figures]") {
  for_each_product([&](const DeviceSpec& device) {
    REQUIRE(rate_of(device.arithmetic, "fp32") != nullptr);
    if (!device.clock) return;
    const std::uint64_t lanes = device.sub_group_sizes.back();
    const std::uint64_t groups = std::uint64_t{device.cores} * device.contexts_per_core();
    const ReadText read =
        read_text("scenario: arithmetic alone\ndevice: " + device.id +
                  "\nkernels:\n  k: {global: " + std::to_string(groups * lanes) + ", local: " + std::to_string(lanes) +
                  ", sub_group: " + std::to_string(lanes) +
                  ", program: [issue: {fp32: 10000000}], variation: none}\nlaunches: [{kernel: k}]\n");
    REQUIRE(read.problems == "");
    const Scenario& one = read.scenario();
    const Duration time = simulate(one.device, one.dispatch, one.workload).record.active();
    const double cycles = static_cast<double>(time.count) * 1e-12 * static_cast<double>(device.clock->count);
    const double rate = std::stod(to_text(*rate_of(device.arithmetic, "fp32")));
    const double engines = static_cast<double>(device.cores) * device.engines_per_core;
    const double of_peak = 1e7 * static_cast<double>(groups * lanes) / (cycles * engines * rate);
    CHECK(of_peak <= 1 + 1e-9);  // as far as doubles can tell
    CHECK(of_peak >= 0.6);       // Kepler issues one instruction per cycle and engine, of 32 of its 48 lanes
  });
}

TEST_CASE("every level of a shipped product's memory has a latency") {
  for_each_product([&](const DeviceSpec& device) {
    REQUIRE(device.memory.has_value());
    for (const MemoryLevel& level : device.memory->levels) CHECK(level.latency.has_value());
  });
}

TEST_CASE("a clock, rates of atomics and of each kind of arithmetic that a shipped product lacks are in not_set.csv") {
  const std::string rows = read_file(source_path("models/not_set.csv"));
  const auto is_named = [&](const std::string& name, const std::string& key) {
    for (const std::string& line : lines_of(rows))
      if (line.find(name) != std::string::npos && line.find(key + ",") != std::string::npos) return true;
    return false;
  };
  for_each_model([&](const std::string& name, const YamlNode& model) {
    const YamlNode* kind = model.find("kind");
    if (kind == nullptr || kind->text != "product") return;  // `tiny` stands for no product
    for (const std::string key : {"clock", "atomics.slm", "atomics.global", "arithmetic.fp32", "arithmetic.fp64",
                                  "arithmetic.int32", "arithmetic.sfu", "arithmetic.load_store"}) {
      INFO(name << ": " << key);
      const auto leaves = model_leaves(model);
      CHECK((is_named(name, key) ||
             std::any_of(leaves.begin(), leaves.end(), [&](const ModelLeaf& leaf) { return leaf.path == key; })));
    }
  });
}

TEST_CASE("every value of a shipped model has a source") {
  for_each_model([](const std::string& name, const YamlNode& model) {
    for (const ModelLeaf& leaf : model_leaves(model)) {
      INFO(name << ": " << leaf.path);
      CHECK(source_of(model, leaf) != nullptr);
    }
  });
}

TEST_CASE("a source of a shipped model speaks for a value that is there, by its path") {
  for_each_model([](const std::string& name, const YamlNode& model) {
    for (const YamlEntry& source : model.find("sources")->entries) {
      INFO(name << ": sources: " << source.key);
      CHECK(speaks_for_some(model, source.key));
    }
  });
}

TEST_CASE("a source of a shipped model names a document or an address, or begins with `not verified: `", "[figures]") {
  for_each_model([](const std::string& name, const YamlNode& model) {
    for (const YamlEntry& source : model.find("sources")->entries) {
      INFO(name << ": sources: " << source.key << ": " << source.value.text);
      CHECK((is_not_verified(source.value.text) || names_a_document(source.value.text)));
    }
  });
}

TEST_CASE(
    "what is assumed, remembered, or cannot be followed is marked as not verified, and nothing else hides the marker") {
  for_each_model([](const std::string& name, const YamlNode& model) {
    for (const YamlEntry& source : model.find("sources")->entries) {
      const std::string& text = source.value.text;
      INFO(name << ": sources: " << source.key << ": " << text);
      CHECK_THAT(text, !Catch::Contains("from memory", Catch::CaseSensitive::No));
      if (is_not_verified(text)) continue;
      for (const char* doubt :
           {"ASSUMED", "EXTRAPOLATED", "HYPOTHESIS", "not recorded", "as remembered", "not verified"})
        CHECK_THAT(text, !Catch::Contains(doubt));
    }
  });
}

TEST_CASE("what sources say of the same value is said in at most five files: more share it through a root",
          "[figures]") {
  constexpr std::size_t max_files = 5;
  std::map<std::array<std::string, 3>, std::set<std::string>> files;  // by sentence, path and value
  for_each_model([&](const std::string&, const YamlNode& model) {
    for (const ModelLeaf& leaf : model_leaves(model)) {
      const YamlEntry* source = source_of(model, leaf);
      REQUIRE(source != nullptr);
      for (const std::string& sentence : sentences(source->value.text))
        files[{sentence, leaf.path, flow_text(*leaf.value)}].insert(source->value.mark.source->name());
    }
  });
  for (const auto& [said, where] : files) {
    INFO(said[1] << ": " << said[2] << ": " << said[0]);
    CHECK(where.size() <= max_files);
  }
}

TEST_CASE("every number of a shipped memory has a source of its own, unless it was fitted with others to a scenario") {
  for_each_model([](const std::string& name, const YamlNode& model) {
    for (const ModelLeaf& leaf : model_leaves(model)) {
      if (!leaf.is_number() || !is_at_or_below(leaf.path, "memory")) continue;
      const YamlEntry* source = source_of(model, leaf);
      REQUIRE(source != nullptr);
      INFO(name << ": " << leaf.path << " has the source of " << source->key);
      if (source->key != leaf.path)
        CHECK_THAT(source->value.text, Catch::StartsWith("FITTED") && Catch::Contains("scenarios/calibration"));
    }
  });
}

TEST_CASE("the L2 bandwidth of the H100s is one that their source has") {
  for_each_model([](const std::string& name, const YamlNode& model) {
    if (name != "h100-pcie" && name != "h100-sxm") return;
    for (const ModelLeaf& leaf : model_leaves(model)) {
      if (leaf.path != "memory.levels.L2.bandwidth") continue;
      CHECK(leaf.value->text == "6900 GB/s");
      CHECK_THAT(source_of(model, leaf)->value.text,
                 Catch::Contains("gpu-l2-cache/h100_pcie.txt: 6,847 to 6,953 GB/s with 15 to 37 MB"));
    }
  });
}
