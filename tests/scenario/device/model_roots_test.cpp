#include "support/temporary_folder.hpp"
#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/device/models.hpp>
#include <gdsim/scenario/device/read_device.hpp>

#include <catch2/catch.hpp>

#include <optional>
#include <string>
#include <vector>

// Roots, `kind: root` in the folder `roots`: what families share.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

const std::string kSizes =
    "engines_per_core: 1\ncontexts_per_engine: 8\nsub_group_sizes: [8]\nmax_work_group_size: 64\n"
    "work_groups_per_core: 4\nbarriers_per_core: 4\nslm: {per_core: 1 KiB, per_work_group: 1 KiB}\n";

/// A root with a placeholder and defaults, and a family of it.
struct Shelf {
  Shelf() {
    folder.write(
        "roots/all.yaml",
        "device: all\nkind: root\nname: All\ncores: 1\ndefaults: {memory: {in_flight: 64 B}, copy: {engines: 2}}\n"
        "sources: {cores: of all, memory.in_flight: of in_flight, copy.engines: of engines}\n");
    folder.write("some-family.yaml", "device: some-family\nbase: all\nkind: family\n" + kSizes);
  }

  std::optional<YamlNode> tree_of(const std::string& name) {
    YamlNode reference;
    reference.text = name;
    return models().resolve(reference, folder.path(), ValueReader(problems));
  }

  ModelLibrary& models() {
    if (!library) library.emplace(std::vector<std::filesystem::path>{folder.path()}, sources);
    return *library;
  }

  /// The problems with a device file of this text; empty if it has none.
  std::string problems_with(const std::string& text) {
    YamlNode reference;
    reference.text = folder.write("mine" + std::to_string(++files) + ".yaml", text);
    Diagnostics found;
    read_device(reference, folder.path(), models(), ValueReader(found));
    std::string messages;
    for (const auto& problem : found.problems()) messages += problem.message + "\n";
    return messages;
  }

  TemporaryFolder folder;
  int files = 0;
  SourceFiles sources;
  Diagnostics problems;
  std::optional<ModelLibrary> library;
};

/// `VALUE, SOURCE` of the value at a path.
std::string value_at(const YamlNode& tree, const std::string& path) {
  for (const ModelLeaf& leaf : model_leaves(tree)) {
    if (leaf.path != path) continue;
    const YamlEntry* source = source_of(tree, leaf);
    return leaf.value->text + ", " + (source != nullptr ? source->value.text : "no source");
  }
  return "none";
}

}  // namespace

TEST_CASE("a family has the values of its root with their sources, and the root is not listed as a model") {
  Shelf shelf;
  const auto tree = shelf.tree_of("some-family");
  REQUIRE(tree.has_value());
  CHECK(value_at(*tree, "cores") == "1, of all");
  CHECK(tree->find("kind")->text == "family");
  CHECK(shelf.models().names() == std::vector<std::string>{"some-family"});
}

TEST_CASE("a default holds where a product has the mapping and not the value, and with its source") {
  Shelf shelf;
  shelf.folder.write("some-product.yaml",
                     "device: some-product\nbase: some-family\nmemory: {levels: [{name: DRAM}]}\n"
                     "copy: {engines: 1, bandwidth: 1 GB/s}\nsources: {copy: of mine}\n");
  const auto product = shelf.tree_of("some-product");
  REQUIRE(product.has_value());
  CHECK(value_at(*product, "memory.in_flight") == "64 B, of in_flight");
  CHECK(value_at(*product, "copy.engines") == "1, of mine");
  CHECK(product->find("defaults") == nullptr);
  const auto family = shelf.tree_of("some-family");
  REQUIRE(family.has_value());
  CHECK(family->find("memory") == nullptr);
  CHECK(family->find("copy") == nullptr);
  CHECK(family->find("sources")->entries.size() == 1);
}

TEST_CASE("a model that is nearer than a root of the same name is the base") {
  Shelf shelf;
  shelf.folder.write("all.yaml", "device: all\ncores: 7\n" + kSizes);
  const auto tree = shelf.tree_of("some-family");
  REQUIRE(tree.has_value());
  CHECK(tree->find("cores")->text == "7");
}

TEST_CASE("a root is refused as a device, whether it is named or written in the file itself") {
  Shelf shelf;
  CHECK_FALSE(shelf.tree_of("roots/all.yaml").has_value());
  REQUIRE(shelf.problems.size() == 1);
  CHECK_THAT(shelf.problems.problems().front().message,
             Catch::Contains("is no device") && Catch::Contains("`base: nvidia`"));
  shelf.tree_of("all");
  CHECK_THAT(shelf.problems.problems().back().message, Catch::Contains("'all' is a base for families, not a device"));
  CHECK_THAT(shelf.problems_with("device: x\nkind: root\ncores: 1\n" + kSizes), Catch::Contains("is no device"));
  CHECK_THAT(shelf.problems_with("device: x\nbase: all\n"), Catch::Contains("the key 'engines_per_core' is missing"));
}

TEST_CASE("defaults of other mappings and other values are refused, also where nothing uses them") {
  Shelf shelf;
  const std::string begin = "device: x\ncores: 1\n" + kSizes;
  CHECK_THAT(shelf.problems_with(begin + "defaults: {slm_access: {latency: 1 ns}}\n"), Catch::Contains("slm_access"));
  CHECK_THAT(shelf.problems_with(begin + "defaults: {memory: {levels: []}}\n"), Catch::Contains("levels"));
  CHECK_THAT(shelf.problems_with(begin + "defaults: 3\n"), Catch::Contains("defaults"));
  CHECK(shelf.problems_with(begin + "defaults: {copy: {engines: 2}}\n") == "");
}
