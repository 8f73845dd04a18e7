#include <gdsim/base/text.hpp>
#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <rapidcheck/catch.h>

using namespace gdsim;

TEST_CASE("JSON is indented, escaped, and its numbers are exact") {
  JsonWriter writer;
  writer.open_object();
  writer.key("text").text("a \"b\"\n\x01 </script>");
  writer.key("time").time(Duration{INT64_MAX});
  writer.key("list").open_list().count(1).fraction({1, 3}).truth(true).none().close_list();
  writer.key("empty").open_object().close_object();
  writer.close_object();
  CHECK(writer.finish() ==
        "{\n"
        "  \"text\": \"a \\\"b\\\"\\n\\u0001 </script>\",\n"
        "  \"time\": 9223372036854775.807,\n"
        "  \"list\": [\n    1,\n    0.3333,\n    true,\n    null\n  ],\n"
        "  \"empty\": {}\n"
        "}\n");
}

TEST_CASE("JSON escapes what it must, by letter where there is one, and what YAML does not allow") {
  CHECK(json_string("\"\\/\b\f\n\r\t") == R"("\"\\/\b\f\n\r\t")");
  CHECK(json_string(std::string("\0\x1f\x7f", 3)) == R"("\u0000\u001f\u007f")");
  CHECK(json_string("\u0085\u009f\u00a0\ufffe\uffff") == "\"\\u0085\\u009f\u00a0\\ufffe\\uffff\"");
  CHECK(json_string("caf\u00e9 \U0001F600") == "\"caf\u00e9 \U0001F600\"");
  CHECK(json_string("\xff"
                    "a\xe2\x82") ==
        "\"\ufffd"
        "a\ufffd\ufffd\"");
}

TEST_CASE("Any text comes back from JSON, read by another library and by our own reader") {
  rc::prop("bytes that are no UTF-8 come back as U+FFFD", [](const std::string& bytes) {
    const std::string quoted = json_string(bytes);
    const std::string parsed = nlohmann::json::parse(quoted).get<std::string>();
    RC_ASSERT(well_formed(parsed) == well_formed(bytes));
    const SourceText source("text.json", "{\"key\": " + quoted + "}");
    Diagnostics problems;
    const auto root = read_yaml(source, problems);
    RC_ASSERT(problems.empty());
    RC_ASSERT(root->find("key")->text == parsed);
  });
}
