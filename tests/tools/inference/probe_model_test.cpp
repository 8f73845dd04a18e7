#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <catch2/catch.hpp>

#include <filesystem>

using namespace gdsim::testing;
using nlohmann::json;

// gdsim probe-model as a user calls it, with the tables of the probe's emulated GPU: four cores of 1,024 threads at 1.5
// GHz, one block every 30 cycles, 450 cycles until a place can be taken, a launch costs 2 us, 0.8 us in a graph.

namespace {

/// Tables of all experiments, or of some, written once for each test.
std::string measured(const TemporaryFolder& folder, const std::string& only = "") {
  const std::string output = (folder.path() / "logs").string();
  std::vector<std::string> words{GDSIM_BINARY_ROOT "/tests/probe_emulated", "--output", output};
  if (!only.empty()) words.insert(words.end(), {"--only", only});
  REQUIRE(run_program(words).status == 0);
  return output;
}

std::string value_of(const json& model, const std::string& path) {
  for (const json& value : model["values"])
    if (value["path"] == path) return value["value"].is_null() ? "family" : value["value"].get<std::string>();
  return "none";
}

}  // namespace

TEST_CASE("the emulated GPU's tables give its dispatcher back, as a device, a page and JSON", "[probe-model]") {
  const TemporaryFolder folder;
  const std::string logs = measured(folder, "threads,slots,shared,drawn,gaps,launch");
  const std::string device = (folder.path() / "mine.yaml").string();
  const std::string page = (folder.path() / "mine.html").string();
  const Ran ran = run_gdsim({"probe-model", logs, "--family", "cc-7.5", "-o", device, "-o", page, "--format", "json"});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  const json model = json::parse(ran.out);
  CHECK(value_of(model, "cores") == "4");
  CHECK(value_of(model, "work_groups_per_core") == "16");
  CHECK(value_of(model, "dispatch.placement") == "most_room");
  CHECK(value_of(model, "dispatch.tie_order") == "ascending");
  CHECK(value_of(model, "dispatch.interval.per_work_group") == "30 cycles");
  // Between a block's last reading of the clock and the first one of the next lie three readings of 6 cycles.
  CHECK(value_of(model, "dispatch.recovery") == "468 cycles");
  CHECK(value_of(model, "launch_cost.serial") == "800 ns");
  CHECK(value_of(model, "memory.levels.L2.latency") == "family");
  REQUIRE(model["runs"].size() > 20);
  for (const json& run : model["runs"]) {
    CHECK(run["measured_ns"] == run["simulated_ns"]);
    CHECK(run["on_core"] == run["blocks"]);
    CHECK(run["held_out"] == true);
  }
  const std::string html = read_file(page);
  CHECK_THAT(html, Catch::Contains("Emulated, 4 cores: measured and simulated") &&
                       Catch::Contains("class=\"resident\"") && Catch::Contains("class=\"running\"") &&
                       Catch::Contains(">468 cycles</td>"));
  CHECK(run_gdsim({"devices", device}).status == 0);
  CHECK(run_gdsim({"occupancy", "--device", device, "--local", "128"}).status == 0);
  const Ran again =
      run_gdsim({"probe-model", logs, "--family", "cc-7.5", "--name", "mine", "--format", "json", "--jobs", "1"});
  CHECK(again.out == ran.out);
}

TEST_CASE("a table that cannot be used is named with its place, and the rest makes a device", "[probe-model]") {
  const TemporaryFolder folder;
  const std::string logs = measured(folder, "threads,barrier");
  const std::string blocks = logs + "/threads.blocks.csv";
  std::string text = read_file(blocks);
  folder.write("logs/threads.blocks.csv", text.substr(0, text.size() - 40));
  const std::string device = (folder.path() / "mine.yaml").string();
  const Ran ran = run_gdsim({"probe-model", logs, "--family", "cc-7.5", "-o", device});
  CHECK(ran.status == 1);
  CHECK_THAT(ran.err, Catch::Contains("threads.blocks.csv:") && Catch::Contains("left out: ") &&
                          Catch::Contains("the file is cut off"));
  CHECK_THAT(read_file(device),
             Catch::Contains("# Not measured: dispatch.placement: ") && Catch::Contains("barrier_cost: {base: "));
}

TEST_CASE("what probe-model cannot use is refused with exit status 2", "[probe-model]") {
  const TemporaryFolder folder;
  const std::string logs = measured(folder, "barrier");
  const std::string empty = (folder.path() / "empty").string();
  std::filesystem::create_directory(empty);
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"probe-model"},
           {"probe-model", empty},
           {"probe-model", logs},  // the emulation's architecture is no family
           {"probe-model", logs, "--family", "no-such-family"},
           {"probe-model", logs, "--family", "cc-7.5", "--name", "My GPU"},
           {"probe-model", logs, "--family", "cc-7.5", "-o", "x.txt"},
           {"probe-model", logs, "--family", "cc-7.5", "-o", logs + "/barrier.barrier.csv"},
           {"probe-model", logs + "/missing.blocks.csv", "--family", "cc-7.5"}}) {
    const Ran ran = run_gdsim(words);
    INFO(ran.err);
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Catch::Contains("error: "));
  }
  CHECK_THAT(run_gdsim({"probe-model", logs}).err, Catch::Contains("--family"));
}
