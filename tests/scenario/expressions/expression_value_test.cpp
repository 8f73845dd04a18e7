#include "support/scenarios.hpp"
#include <gdsim/scenario/expressions/parameters.hpp>

#include <catch2/catch.hpp>

#include <string>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

YamlNode scalar(const std::string& text) {
  YamlNode node;
  node.kind = YamlNode::Shape::scalar;
  node.text = text;
  return node;
}

/// `FORMULA|UNIT`; `none` if it is no expression.
std::string parts(const std::string& text) {
  const YamlNode node = scalar(text);
  const auto found = expression_of(node);
  return found ? std::string(found->formula) + "|" + std::string(found->unit) : "none";
}

}  // namespace

TEST_CASE("a text that begins with a sign of equality and a blank is an expression") {
  CHECK(parts("= 2") == "2|");
  CHECK(parts("= 2 * tile  ") == "2 * tile|");
  CHECK(parts("=2") == "none");
  CHECK(parts("2") == "none");
  CHECK(parts("") == "none");
  YamlNode list = scalar("= 2");
  list.kind = YamlNode::Shape::sequence;
  CHECK_FALSE(expression_of(list));
}

TEST_CASE("every unit may stand behind what is complete, with or without a blank behind numbers and brackets") {
  for (const std::string unit : {"cycles", "B/s", "kB/s", "MB/s", "GB/s", "TB/s", "B",  "KiB", "MiB", "GiB",
                                 "Hz",     "kHz", "MHz",  "GHz",  "ps",   "ns",   "us", "ms",  "s",   "%"}) {
    INFO(unit);
    CHECK(parts("= 2 * tile " + unit) == "2 * tile|" + unit);
    CHECK(parts("= (a + b)" + unit) == "(a + b)|" + unit);
    CHECK(parts("= 1.5" + unit) == "1.5|" + unit);
    CHECK(parts("= 2 *" + unit) == "2 *" + unit + "|");
  }
  CHECK(parts("= tileB") == "tileB|");  // a name
  CHECK(parts("= 3 * times") == "3 * times|");
  CHECK(parts("= device.cores B") == "device.cores|B");
  CHECK(parts("= .5s") == ".5|s");
  CHECK(parts("= tile_ s") == "tile_|s");
  CHECK(parts("= B") == "B|");
  CHECK(parts("= max(a, b) us") == "max(a, b)|us");
}

TEST_CASE(
    "what is wrong with an expression is said at its column, also behind quotes and characters of several bytes") {
  const auto problems = [](const std::string& local) {
    return read_text("scenario: s\ndevice: tiny\nparameters: {a: 8}\nkernels:\n  k: {local: " + local +
                     ", global: 8, sub_group: 8, program: [compute: 1 us]}\nlaunches: [kernel: k]\n")
        .problems;
  };
  // `  k: {local: ` has 13 characters.
  CHECK_THAT(problems("= b"), Catch::StartsWith("5:16: "));
  CHECK_THAT(problems("= a + b"), Catch::StartsWith("5:20: "));
  CHECK_THAT(problems("\"= a + b\""), Catch::StartsWith("5:21: "));
  CHECK_THAT(problems("'= a + b'"), Catch::StartsWith("5:21: "));
  CHECK_THAT(problems("= a + b B"), Catch::StartsWith("5:20: "));
  // Written with an escape, it does not stand there as it is: its beginning is named.
  CHECK_THAT(problems("\"= a \\x2b b\""), Catch::StartsWith("5:14: "));
  CHECK_THAT(problems("[1, 1, = b]"), Catch::Contains("\n5:23: "));
  const std::string behind =
      read_text(
          "scenario: s\ndevice: tiny\nkernels:\n  k: {local: 8, global: 8, sub_group: 8, program: [compute: 1 us]}\n"
          "launches: [{name: \xC3\xA4\xE2\x82\xAC, kernel: k, at: = b * 1 us}]\n")
          .problems;
  CHECK_THAT(behind, Catch::StartsWith("5:40: "));
}
