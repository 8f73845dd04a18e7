#include <gdsim/yaml/yaml_node.hpp>

#include <catch2/catch.hpp>

#include <deque>

using namespace gdsim;

namespace {

/// The first problem of a text as LINE:COLUMN: MESSAGE.
std::string problem_of(const std::string& text) {
  const SourceText source("x.yaml", text);
  Diagnostics problems;
  read_yaml(source, problems);
  if (problems.empty()) return "none";
  const Diagnostic& first = problems.problems().front();
  return std::to_string(first.line) + ":" + std::to_string(first.column) + ": " + first.message;
}

YamlNode tree_of(const std::string& text) {
  static std::deque<SourceText> sources;  // marks refer to them
  Diagnostics problems;
  auto root = read_yaml(sources.emplace_back("x.yaml", text), problems);
  problems.throw_if_any();
  return *root;
}

}  // namespace

TEST_CASE("a document becomes a tree of text with marks, nothing guessed") {
  const YamlNode root = tree_of("a: 010\nb: 'no'\nc: [1, {d: e}]\nf:\n");
  REQUIRE(root.is_mapping());
  CHECK(root.find("a")->text == "010");
  CHECK(root.find("a")->style == YamlNode::Style::plain);
  CHECK(root.find("b")->style == YamlNode::Style::quoted);
  CHECK(root.find("c")->items.size() == 2);
  CHECK(root.find("c")->items[1].find("d")->text == "e");
  CHECK(root.find("c")->items[1].find("d")->mark.line == 3);
  CHECK(root.find("c")->items[1].find("d")->mark.column == 12);
  CHECK(root.find("f")->is_missing());
  CHECK(root.find("nothing") == nullptr);
}

TEST_CASE("columns count characters, not bytes") {
  CHECK(tree_of("\xC3\xA4\xC3\xB6: x\n").entries[0].value.mark.column == 5);
}

TEST_CASE("a key that stands twice names both places") {
  CHECK(problem_of("a: 1\nb: 2\na: 3\n") == "3:1: the key 'a' stands here again; it was first given in line 1");
}

TEST_CASE("a key that stands twice is found among however many") {
  for (const int count : {15, 16, 17, 18, 40, 1'000, 20'000}) {
    std::string text;
    for (int i = 1; i <= count; ++i) text += "key" + std::to_string(i) + ": {a: {b: 1}, key1: 2}\n";
    CHECK(problem_of(text) == "none");
    const std::string line = std::to_string(count + 1);
    for (const int i : {1, count / 2, 16, 17, count}) {
      if (i > count) continue;
      const std::string again = std::to_string(i);
      CHECK(problem_of(text + "key" + again + ": 1\n") ==
            line + ":1: the key 'key" + again + "' stands here again; it was first given in line " + again);
    }
  }
}

TEST_CASE("a key may stand again within its own value") {
  CHECK(problem_of("a: {a: {a: 1}, b: {a: 2}}\nb: {b: 3}\n") == "none");
}

TEST_CASE("64 levels are allowed, 65 are not") {
  CHECK(problem_of(std::string(64, '[') + std::string(64, ']')) == "none");
  CHECK(problem_of(std::string(65, '[') + std::string(65, ']')) == "1:65: nested deeper than 64 levels");
}

TEST_CASE("deep nesting is refused at the 65th level, however much of it there is") {
  CHECK(problem_of(std::string(10'000'000, '[')) == "1:65: nested deeper than 64 levels");
  CHECK(problem_of(std::string(10'000'000, '{')).find("nested deeper") != std::string::npos);
}

TEST_CASE("what is not text is refused with its place") {
  CHECK(problem_of(std::string("a: b\n\0c", 7)).starts_with("2:1: this is not a text file in UTF-8"));
  CHECK(problem_of("a: \xFF\xFE\n").starts_with("1:4: this is not a text file in UTF-8"));
  CHECK(problem_of("").find("there is nothing here") != std::string::npos);
}

TEST_CASE("many sections without values are no problem") {
  std::string text = "[";
  for (int i = 0; i < 100'000; ++i) text += "[],";
  CHECK(problem_of(text + "]") == "none");
}

TEST_CASE("one value of the outermost mapping is read, and others are passed over") {
  const auto value_of = [](const std::string& text) -> std::string {
    const SourceText source("x.json", text);
    const auto value = read_yaml_value(source, "wanted");
    return !value ? "nothing" : value->is_scalar() ? value->text : describe(*value);
  };
  CHECK(value_of(R"({"a": [1, {"wanted": 2}], "b": {"c": []}, "wanted": "3", "d": []})") == "3");
  CHECK(value_of(R"({"wanted": [1]})") == "a list");
  CHECK(value_of(R"({"a": {"wanted": 2}})") == "nothing");
  CHECK(value_of(R"({"wanted": 1, "wanted": 2})") == "nothing");
  CHECK(value_of(R"(["wanted"])") == "nothing");
  CHECK(value_of(R"({"wanted": 1, "a": [})") == "nothing");
  CHECK(value_of("") == "nothing");
}
