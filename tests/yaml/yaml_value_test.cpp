#include <gdsim/yaml/yaml_value.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <string>
#include <utility>

// What is written reads back as the same value, whatever it holds.

using namespace gdsim;

namespace {

/// A random text of characters that mean something in YAML, and of others.
std::string random_text() {
  static const std::string characters = "ab0 :#-,[]{}'\"\\&*!|>%@`?=.~\n\t\x01";
  std::string text;
  for (int left = *rc::gen::inRange(0, 6); left > 0; --left) text += *rc::gen::elementOf(characters);
  return text;
}

std::string random_remark() { return *rc::gen::element<std::string>("", "a remark", "line 7: {x} # y", "two\nlines: ["); }

/// A random value, and the same as it must be read.
std::pair<YamlValue, YamlNode> random_value(int depth, bool is_in_line) {
  YamlNode node;
  const int form = *rc::gen::inRange(0, depth > 0 ? 4 : 2);
  if (form < 2) {
    node.text = random_text();
    if (form == 0 && node.text.empty()) node.text = "7";  // without a text, a word is no value
    return {form == 0 ? YamlValue::word(node.text) : YamlValue::text(node.text), node};
  }
  const bool stays_in_line = is_in_line || *rc::gen::arbitrary<bool>();
  YamlValue value = stays_in_line ? YamlValue::in_line() : YamlValue();
  const int members = *rc::gen::inRange(1, 4);
  node.kind = form == 2 ? YamlNode::Shape::sequence : YamlNode::Shape::mapping;
  for (int i = 0; i < members; ++i) {
    if (*rc::gen::arbitrary<bool>()) value.comment("a comment: # [");
    auto [member, read] = random_value(depth - 1, stays_in_line);
    const std::string key = random_text() + std::to_string(i);
    if (form == 2)
      value.item(std::move(member), random_remark());
    else if (*rc::gen::arbitrary<bool>())
      value.named(key, std::move(member), random_remark());
    else
      value.entry(key, std::move(member), random_remark());
    if (form == 2)
      node.items.push_back(std::move(read));
    else
      node.entries.push_back({key, {}, std::move(read)});
  }
  return {std::move(value), std::move(node)};
}

bool are_equal(const YamlNode& a, const YamlNode& b) {
  if (a.kind != b.kind || a.text != b.text || a.items.size() != b.items.size() || a.entries.size() != b.entries.size())
    return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!are_equal(a.items[i], b.items[i])) return false;
  for (std::size_t i = 0; i < a.entries.size(); ++i)
    if (a.entries[i].key != b.entries[i].key || !are_equal(a.entries[i].value, b.entries[i].value)) return false;
  return true;
}

YamlNode node_of(const std::string& text) {
  const SourceText source("written.yaml", text);
  Diagnostics problems;
  const auto node = read_yaml(source, problems);
  REQUIRE(node);
  REQUIRE(problems.empty());
  return *node;
}

}  // namespace

TEST_CASE("a random value that is written reads back as the same value") {
  rc::prop("in lines of its own", [] {
    auto [value, node] = random_value(3, false);
    YamlValue document;
    document.entry("value", value, random_remark());
    const std::string text = document.block();
    RC_LOG() << text;
    RC_ASSERT(are_equal(*node_of(text).find("value"), node));
  });
  rc::prop("in one line", [] {
    auto [value, node] = random_value(3, false);
    const std::string text = "value: " + value.line() + "\n";
    RC_LOG() << text;
    RC_ASSERT(are_equal(*node_of(text).find("value"), node));
  });
}

TEST_CASE("values stand in lines of their own or in one, with comments") {
  YamlValue kernel;
  kernel.comment("as measured").entry("local", 256U, "threads").entry("slm", YamlValue::word("4 KiB"));
  YamlValue step = YamlValue::in_line().entry("bytes", YamlValue::word("8 B"));
  kernel.entry("program", YamlValue()
                              .item(YamlValue::word("barrier"), "line 3")
                              .item(YamlValue().entry("memory", std::move(step), "lines 4-5")));
  YamlValue document;
  document.entry("kernels", YamlValue().named("k", std::move(kernel)));
  document.entry("launches", YamlValue::list_in_line({YamlValue::in_line().entry("kernel", YamlValue::text("k"))}));
  CHECK(document.block() ==
        "kernels:\n  \"k\":\n    # as measured\n    local: 256  # threads\n    slm: 4 KiB\n    program:\n"
        "      - barrier  # line 3\n      - memory: {bytes: 8 B}  # lines 4-5\nlaunches: [kernel: \"k\"]\n");
}

TEST_CASE("a line that is read is written as it was, as long as it has no comment") {
  for (const std::string line : {"{starts: any_order}", "[{name: shader engine, sizes: [1, 2]}]", "= n * 2", "80 GB/s",
                                 "\"a: b\"", "[loop: {count: 2, body: [barrier]}]"})
    CHECK(YamlValue::read(line).line() == line);
}
