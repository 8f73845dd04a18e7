#include "support/temporary_folder.hpp"
#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/device/models.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// A YAML text that lives as long as its tree.
struct Tree {
  explicit Tree(const std::string& text) : source("test.yaml", text), root(read()) {}

  YamlNode read() {
    Diagnostics problems;
    auto node = read_yaml(source, problems);
    REQUIRE(problems.empty());
    return *node;
  }

  SourceText source;
  YamlNode root;
};

const char* kModel =
    "device: x\n"
    "name: X 100\n"
    "cores: 4\n"
    "sub_group_sizes: [8, 16]\n"
    "dispatch: {placement: fill_first, recovery: 5 cycles, batch: {work_groups: 2}}\n"
    "memory: {in_flight: 64 B, levels: [{name: L2, latency: 9 cycles}, {name: HBM, bandwidth: 1 GB/s}]}\n"
    "sources:\n"
    "  cores: of cores\n"
    "  dispatch: of dispatch\n"
    "  recovery: of recovery\n"
    "  memory: of memory\n"
    "  memory.levels.l2.latency: of latency\n"
    "  memory.levels.1: of HBM\n";

std::string source_at(const YamlNode& model, const std::string& path) {
  for (const ModelLeaf& leaf : model_leaves(model)) {
    if (leaf.path != path) continue;
    const YamlEntry* source = source_of(model, leaf);
    return source != nullptr ? source->value.text : "none";
  }
  return "no such value";
}

/// What becomes of kModel's source keys below a file with `over`.
std::vector<std::string> kept_below(const std::string& over) {
  Tree base(kModel);
  const Tree tree(over);
  drop_sources(base.root, tree.root);
  std::vector<std::string> keys;
  for (const YamlEntry& entry : base.root.find("sources")->entries) keys.push_back(entry.key);
  return keys;
}

using Keys = std::vector<std::string>;

}  // namespace

TEST_CASE("the values of a model are found by their paths, entries of lists by their names") {
  const Tree tree(kModel);
  Keys paths;
  Keys numbers;
  for (const ModelLeaf& leaf : model_leaves(tree.root)) {
    paths.push_back(leaf.path);
    if (leaf.is_number()) numbers.push_back(leaf.path_by_number);
  }
  CHECK(paths == Keys{"cores", "sub_group_sizes", "dispatch.placement", "dispatch.recovery",
                      "dispatch.batch.work_groups", "memory.in_flight", "memory.levels.L2.latency",
                      "memory.levels.HBM.bandwidth"});
  CHECK(numbers == Keys{"cores", "sub_group_sizes", "dispatch.recovery", "dispatch.batch.work_groups",
                        "memory.in_flight", "memory.levels.0.latency", "memory.levels.1.bandwidth"});
}

TEST_CASE("of the sources at and above a value, the one with the longest path speaks for it") {
  const Tree tree(kModel);
  CHECK(source_at(tree.root, "cores") == "of cores");
  CHECK(source_at(tree.root, "sub_group_sizes") == "none");
  CHECK(source_at(tree.root, "memory.in_flight") == "of memory");
  CHECK(source_at(tree.root, "dispatch.placement") == "of dispatch");
}

TEST_CASE("a source names a level by its name in any case, or by its number") {
  const Tree tree(kModel);
  CHECK(source_at(tree.root, "memory.levels.L2.latency") == "of latency");
  CHECK(source_at(tree.root, "memory.levels.HBM.bandwidth") == "of HBM");
}

TEST_CASE("a source's key without a dot stands for the inner key of that name where the model has no such key") {
  const Tree tree(kModel);
  CHECK(source_at(tree.root, "dispatch.recovery") == "of recovery");
  CHECK(source_at(tree.root, "dispatch.batch.work_groups") == "of dispatch");
  CHECK(source_at(Tree("dispatch: {recovery: 5 cycles}\nrecovery: 1\nsources: {recovery: outer}\n").root,
                  "dispatch.recovery") == "none");
}

TEST_CASE("a path is not below another that merely begins alike") {
  CHECK(is_at_or_below("memory.in_flight", "memory"));
  CHECK(is_at_or_below("memory", "memory"));
  CHECK_FALSE(is_at_or_below("memory_x.in_flight", "memory"));
  CHECK_FALSE(is_at_or_below("memory", "memory.in_flight"));
}

TEST_CASE("what replaces a value drops the source of that value, and no other") {
  CHECK(kept_below("cores: 5\n") ==
        Keys{"dispatch", "recovery", "memory", "memory.levels.l2.latency", "memory.levels.1"});
  CHECK(kept_below("memory: {levels: {0: {latency: 1 ns}}}\n") ==
        Keys{"cores", "dispatch", "recovery", "memory.levels.1"});
  CHECK(kept_below("memory: {levels: [{name: L2, latency: 1 ns}]}\n") == Keys{"cores", "dispatch", "recovery"});
}

TEST_CASE("an inner key that is replaced drops its source, also where that goes by the inner key's name alone") {
  CHECK(kept_below("dispatch: {recovery: 6 cycles}\n") ==
        Keys{"cores", "memory", "memory.levels.l2.latency", "memory.levels.1"});
}

TEST_CASE("an inner key that is called as an outer one drops no source of that") {
  CHECK(kept_below("atomics: {memory: 1, cores: 2}\n") ==
        Keys{"cores", "dispatch", "recovery", "memory", "memory.levels.l2.latency", "memory.levels.1"});
}

TEST_CASE("a source of several values stays where what is replaced has a source of its own") {
  CHECK(kept_below("memory: {in_flight: 1 KiB}\nsources: {memory.in_flight: mine}\n") ==
        Keys{"cores", "dispatch", "recovery", "memory", "memory.levels.l2.latency", "memory.levels.1"});
  CHECK(kept_below("dispatch: {recovery: 6 cycles}\nsources: {dispatch.recovery: mine}\n") ==
        Keys{"cores", "dispatch", "memory", "memory.levels.l2.latency", "memory.levels.1"});
}
