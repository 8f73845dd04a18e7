#include <gdsim/yaml/yaml_node.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

namespace {

std::string rewritten(const std::string& text) {
  const SourceText source("a.yaml", text);
  Diagnostics problems;
  const auto root = read_yaml(source, problems);
  REQUIRE(problems.empty());
  return block_text(*root);
}

}  // namespace

TEST_CASE("a document in block style reads back to itself") {
  const std::string text =
      "scenario: A\nkernels:\n  k:\n    global:\n      - 64\n      - 2\n    slm: 4 KiB\n    program:\n"
      "      - barrier\n      - compute: 1 us\n      - loop:\n          count: 3\n          body:\n"
      "            - compute: 2 us\nlaunches: []\n";
  CHECK(rewritten(text) == text);
}

TEST_CASE("flow style, comments and quotes become block style that means the same") {
  const std::string text = "a: {b: [1, 2], \"c d\": 'it: is # one'}  # a comment\ne: \"12\"\nf:\ng: \"x\\ny\\\"\"\n";
  const std::string once = rewritten(text);
  CHECK(once == "a:\n  b:\n    - 1\n    - 2\n  \"c d\": \"it: is # one\"\ne: \"12\"\nf:\ng: \"x\\ny\\\"\"\n");
  CHECK(rewritten(once) == once);
}

TEST_CASE("keys that are words stay plain, others are quoted, and what no line can hold is escaped") {
  for (const std::string key : {"a", "a.b", "a_b", "a-b", "A9", "_", ".", "9"}) {
    CHECK(rewritten(key + ": 1\n") == key + ": 1\n");
    CHECK(rewritten("\"" + key + "\": 1\n") == key + ": 1\n");
  }
  for (const std::string key : {"a b", "-a", "", "a:b", "a/b", "ü", "#a", "a,b"})
    CHECK(rewritten("'" + key + "': 1\n") == "\"" + key + "\": 1\n");
  CHECK(rewritten("a: \"\\x01\\x1f\\x7f\\t\\e ~ ü\"\n") == "a: \"\\x01\\x1F\\x7F\\x09\\x1B ~ ü\"\n");
  CHECK(rewritten("a: 'back\\slash \"quote\"'\n") == "a: \"back\\\\slash \\\"quote\\\"\"\n");
  CHECK(rewritten("a: b\n  c\nd: x:y\ne: x#y\n") == "a: b c\nd: x:y\ne: x#y\n");
}

TEST_CASE("what is empty stays what it is: a list, a mapping, a text or nothing") {
  CHECK(rewritten("[]\n") == "[]\n");
  CHECK(rewritten("{}\n") == "{}\n");
  CHECK(rewritten("a: []\nb: {}\nc: ''\nd:\ne: [[], {}, '', [1], {f: 2, g: [3]}]\n") ==
        "a: []\nb: {}\nc: \"\"\nd:\ne:\n  - []\n  - {}\n  - \"\"\n  -\n    - 1\n  - f: 2\n    g:\n      - 3\n");
  CHECK(rewritten("[a, b: [c]]\n") == "- a\n- b:\n    - c\n");
}
