#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

// Sessions of an assistant with `gdsim mcp`: one message of JSON-RPC a line.

using namespace gdsim::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

/// Returns the answers to these messages.
std::vector<json> answers_to(const std::vector<std::string>& messages) {
  const TemporaryFolder folder;
  std::string lines;
  for (const std::string& message : messages) lines += message + "\n";
  const std::string file = folder.write("messages", lines);
  const Ran ran = run_shell("\"$GDSIM\" mcp <'" + file + "'");
  CHECK(ran.status == 0);
  CHECK(ran.err.empty());
  std::vector<json> answers;
  for (const std::string& line : lines_of(ran.out)) answers.push_back(json::parse(line));
  return answers;
}

/// Returns the result of a call of one tool.
json result_of(const std::string& tool, const json& arguments) {
  const json call = {
      {"jsonrpc", "2.0"}, {"id", 7}, {"method", "tools/call"}, {"params", {{"name", tool}, {"arguments", arguments}}}};
  const std::vector<json> answers = answers_to({call.dump()});
  REQUIRE(answers.size() == 1);
  CHECK(answers[0]["jsonrpc"] == "2.0");
  CHECK(answers[0]["id"] == 7);
  return answers[0].at("result");
}

std::string text_of(const json& result) { return result.at("content").at(0).at("text").get<std::string>(); }

}  // namespace

TEST_CASE("a session begins with what the server is and lists its tools with their arguments") {
  const std::vector<json> answers = answers_to({
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}})",
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
      R"({"jsonrpc":"2.0","id":"list","method":"tools/list"})",
      R"({"jsonrpc":"2.0","id":2,"method":"ping"})",
  });
  REQUIRE(answers.size() == 3);  // a notification has no answer
  CHECK(answers[0]["id"] == 0);
  CHECK(answers[0]["result"]["protocolVersion"] == "2025-06-18");
  CHECK(answers[0]["result"]["serverInfo"]["name"] == "gdsim");
  CHECK(answers[1]["id"] == "list");
  std::vector<std::string> names;
  for (const json& tool : answers[1]["result"]["tools"]) {
    names.push_back(tool["name"].get<std::string>());
    CHECK(tool["inputSchema"]["type"] == "object");
    CHECK_FALSE(tool["inputSchema"]["properties"].empty());
  }
  CHECK(names == std::vector<std::string>{"occupancy", "run", "explain", "sweep", "import"});
  CHECK(answers[2]["result"].empty());
}

TEST_CASE("a tool answers what its command prints") {
  const json occupancy = result_of("occupancy", {{"device", "a100-80gb"}, {"local", 256}, {"registers", "72"}});
  CHECK(occupancy["isError"] == false);
  CHECK(text_of(occupancy) == gdsim_output({"occupancy", "--device", "a100-80gb", "--local", "256", "--registers", "72",
                                            "--format", "json"}));
  const json run = result_of("run", {{"scenario", read_file(kVectorAdd4)}});
  CHECK(json::parse(text_of(run))["duration_ns"] == 20e6);
  const json set = result_of("run", {{"file", kVectorAdd4}, {"set", {"dispatch.placement=round_robin"}}});
  CHECK(json::parse(text_of(set))["duration_ns"] == 10e6);
  CHECK(text_of(result_of("explain", {{"file", kVectorAdd4}})) ==
        gdsim_output({"explain", kVectorAdd4, "--format", "json"}));
}

TEST_CASE("what is wrong with a call is its result, and what is wrong with a message is an error with its code") {
  const json refused = result_of("run", {{"scenario", "scenario: One\n"}});
  CHECK(refused["isError"] == true);
  CHECK_THAT(text_of(refused), Contains("<stdin>:1:1: error: scenario: the key 'device' is missing"));
  const json unknown = result_of("occupancy", {{"devise", "a100-80gb"}});
  CHECK(unknown["isError"] == true);
  CHECK_THAT(text_of(unknown), Contains("no argument 'devise'") && Contains("device"));
  CHECK_THAT(text_of(result_of("occupancy", {{"local", 64}})), Contains("needs 'device'"));
  CHECK_THAT(text_of(result_of("run", json::object())), Contains("either `scenario`, a text, or `file`, a path"));
  const std::vector<json> errors =
      answers_to({"nonsense [", "[1]", R"({"jsonrpc":"2.0","id":1,"method":"none"})",
                  R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x"}})", "garbage", "id: 1",
                  R"({"id":3,"method":"ping"})", R"({"jsonrpc":2.0,"id":4,"method":"ping"})"});
  REQUIRE(errors.size() == 8);
  CHECK(errors[0]["error"]["code"] == -32700);
  CHECK(errors[0]["id"].is_null());
  CHECK(errors[1]["error"]["code"] == -32600);
  CHECK(errors[2]["error"]["code"] == -32601);
  CHECK(errors[3]["error"]["code"] == -32602);
  CHECK(errors[4]["error"]["code"] == -32700);
  CHECK(errors[5]["error"]["code"] == -32700);
  for (const std::size_t i : {6U, 7U}) {
    CHECK(errors[i]["error"]["code"] == -32600);
    CHECK(errors[i]["id"] == i - 3);
    CHECK_THAT(errors[i]["error"]["message"].get<std::string>(), Contains(R"("jsonrpc": "2.0")"));
  }
}
