#include <gdsim/scenario/yaml_block.hpp>
#include <gdsim/scenario/yaml_document.hpp>
#include <gdsim/scenario/yaml_flow.hpp>

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
