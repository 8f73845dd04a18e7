#include <gdsim/yaml/yaml_node.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

namespace {

/// A tree of which values can be set; writes itself in one line.
struct Tree {
  SourceText source;
  Diagnostics problems;
  YamlNode root;

  explicit Tree(const std::string& text) : source("x.yaml", text), root(*read_yaml(source, problems)) {}

  Tree& set(const std::string& path, const std::string& value) {
    YamlNode node;
    node.text = value;
    set_path(root, path, node, {}, problems);
    return *this;
  }
  std::string problem() const { return problems.empty() ? "" : problems.problems().front().message; }
};

}  // namespace

TEST_CASE("a path replaces a value of a mapping or a list") {
  CHECK(flow_text(Tree("{a: {b: 1}}").set("a.b", "2").root) == "{a: {b: 2}}");
  CHECK(flow_text(Tree("{a: [x, y]}").set("a.1", "z").root) == "{a: [x, z]}");
}

TEST_CASE("a path makes the mappings that are missing on its way") {
  CHECK(flow_text(Tree("{a: 1}").set("dispatch.ports", "3").root) == "{a: 1, dispatch: {ports: 3}}");
}

TEST_CASE("a device by name becomes a mapping with that base") {
  CHECK(flow_text(Tree("{device: tiny}").set("device.cores", "12").root) == "{device: {base: tiny, cores: 12}}");
  CHECK(flow_text(Tree("{device: tiny}").set("device.slm.per_core", "1 KiB").root) ==
        "{device: {base: tiny, slm: {per_core: 1 KiB}}}");
  CHECK(flow_text(Tree("{device: tiny}").set("device", "other").root) == "{device: other}");
}

TEST_CASE("a part in quotes may contain dots") {
  CHECK(flow_text(Tree("{kernels: {a.b: {x: 1}}}").set("kernels.\"a.b\".x", "2").root) == "{kernels: {a.b: {x: 2}}}");
}

TEST_CASE("a key with a dot that is not in quotes is named, with its quotes") {
  const Tree tree = Tree("{clock: {at: {0 s: 1 GHz}}}").set("clock.at.1.5 us", "2 GHz");
  CHECK(tree.problem() == "clock.at.1.5 us: a key with a dot is written in double quotes: clock.at.\"1.5 us\"");
  CHECK(flow_text(tree.root) == "{clock: {at: {0 s: 1 GHz}}}");
  CHECK(flow_text(Tree("{at: {0 s: 1 GHz}}").set("at.\"1.5 us\"", "2 GHz").root) ==
        "{at: {0 s: 1 GHz, 1.5 us: 2 GHz}}");
  CHECK(Tree("{a: 64}").set("a.0.5", "1").problem() == "a.0.5: '64' has no key '0'");
}

TEST_CASE("a path that cannot be followed is refused") {
  CHECK(Tree("{a: [x]}").set("a.1", "z").problem() == "a.1: there is no entry 1 in a list of 1, numbered from 0");
  CHECK(Tree("{a: [x]}").set("a.first", "z").problem().find("no entry first") != std::string::npos);
  CHECK(Tree("{a: 1}").set("a.b", "z").problem() == "a.b: '1' has no key 'b'");
  for (const char* bad : {"", ".", "a.", ".a", "a..b", "\"a", "\"a\"b"})
    CHECK(Tree("{a: 1}").set(bad, "z").problem().find("is not a path") != std::string::npos);
}

TEST_CASE("the place of a path is that of its value, or of the nearest above it") {
  const Tree tree("a:\n  b:\n    - x\n    - y: 1\n");
  CHECK(mark_of(tree.root, "a.b.1.y").line == 4);
  CHECK(mark_of(tree.root, "a.b.7").line == 3);
  CHECK(mark_of(tree.root, "nowhere").line == 1);
}
