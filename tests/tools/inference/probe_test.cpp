#include "support/builders.hpp"
#include "support/probe_tables.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace fs = std::filesystem;
using namespace gdsim::testing;

// tools/probe, compiled for its emulated GPU (tools/probe/gpu_emulated.hpp), whose dispatcher is known: four cores of
// 1,024 threads at 1.5 GHz, one block every 30 cycles, 450 cycles from a block's end until its place can be taken.

namespace {

const std::string kProbe = GDSIM_BINARY_ROOT "/tests/probe_emulated";

ProbeLayout layout() { return read_probe_layout(run_program({kProbe, "--layout"}).out); }

/// Tables that a run of the probe wrote, by file name.
struct Measured {
  Ran ran;
  std::map<std::string, ProbeTable> tables;
  std::vector<std::string> faults;
};

Measured measure(std::vector<std::string> words, const std::vector<std::string>& environment = {}) {
  const TemporaryFolder folder;
  const std::string output = (folder.path() / "out").string();
  words.insert(words.begin(), {kProbe, "--output", output});
  Measured measured;
  measured.ran = run_program(words, environment);
  const ProbeLayout described = layout();
  for (const fs::directory_entry& file : fs::directory_iterator(output)) {
    std::vector<std::string> faults;
    const std::string name = file.path().filename().string();
    measured.tables[name] = read_probe_table(read_file(file.path()), described, faults);
    for (const std::string& fault : faults) measured.faults.push_back(name + ": " + fault);
  }
  return measured;
}

/// The cells, as numbers, without the empty ones.
std::vector<double> numbers(const std::vector<std::string>& cells) {
  std::vector<double> values;
  for (const std::string& cell : cells)
    if (!cell.empty()) values.push_back(std::stod(cell));
  return values;
}

std::string shape_of(const std::string& text) {
  std::string lines;
  for (const std::string& line : lines_of(text)) lines += line.substr(0, line.find(',')) + "\n";
  return lines;
}

}  // namespace

TEST_CASE("probe: every table of every experiment is as --layout describes it") {
  const Measured measured = measure({});
  CHECK(measured.ran.status == 0);
  CHECK(measured.faults == std::vector<std::string>{});
  std::set<std::string> written;
  for (const auto& [name, table] : measured.tables) {
    INFO(name);
    CHECK_FALSE(table.rows.empty());
    CHECK(name == table.header.at("experiment") + "." + table.header.at("table") + ".csv");
    written.insert(table.header.at("table"));
  }
  std::set<std::string> described;
  for (const auto& [table, columns] : layout()) described.insert(table);
  for (const std::string not_without_clusters : {"header", "clusters", "groups"}) described.erase(not_without_clusters);
  CHECK(written == described);
}

TEST_CASE("probe: the reader of its tables refuses what is not as described") {
  const ProbeLayout described = read_probe_layout(
      "table,column,type,may_be_empty,meaning\n"
      "header,table,text,0,\"a, b\"\n"
      "t,name,text,0,\"\"\nt,count,integer,1,\"\"\nt,id,hex,0,\"\"\n");
  const auto faults = [&](const std::string& text) {
    std::vector<std::string> found;
    read_probe_table(text, described, found);
    return found.size();
  };
  CHECK(faults("# table: t\nname,count,id\na,1,0x0\nb,,0xff\n") == 0);
  CHECK(faults("# table: t\nname,count,id\na,1,0x0") == 1);
  CHECK(faults("# table: t\nname,count\na,1\n") == 1);
  CHECK(faults("# table: t\nname,count,id\na,1.5,0x0\n") == 1);
  CHECK(faults("# table: t\nname,count,id\n,1,12\n") == 2);
  CHECK(faults("# table: t\nname,count,id\na,1\n") == 1);
  CHECK(faults("# table: u\nname,count,id\n") == 1);
  CHECK(faults("# table: t\n# more: x\nname,count,id\n") == 1);
  CHECK(faults("name,count,id\n") == 2);
}

TEST_CASE("probe: it finds the dispatcher's interval and recovery, though cores' clocks began at different times") {
  const Measured measured = measure({"--only", "threads"});
  const ProbeTable& dispatch = measured.tables.at("threads.dispatch.csv");
  const std::vector<double> intervals = numbers(dispatch.cells("median", {{"figure", "interval"}}));
  REQUIRE(intervals.size() > 20);
  for (const double interval : intervals) CHECK(interval == Approx(30).margin(0.5));
  // Between the last reading of one block and the first of the next lie three readings of 6 cycles.
  const std::vector<double> recoveries = numbers(dispatch.cells("least", {{"figure", "recovery"}}));
  REQUIRE(recoveries.size() > 20);
  for (const double recovery : recoveries) CHECK(recovery == Approx(450 + 3 * 6).margin(0.5));
  for (const double residence : numbers(dispatch.cells("mean", {{"figure", "residence"}})))
    CHECK(residence == Approx(30000).margin(12));
}

TEST_CASE("probe: order and replacement are those of the dispatcher") {
  const Measured measured = measure({"--only", "threads"});
  const ProbeTable& blocks = measured.tables.at("threads.blocks.csv");
  // One block of 1,024 threads fits on each of the four cores, 20 waves without one block are 79 blocks.
  const std::map<std::string, std::string> run{{"run", "threads1024_waves_20-1"}, {"repetition", "0"}};
  const std::vector<std::string> position = blocks.cells("position", run), core = blocks.cells("core", run),
                                 replaces = blocks.cells("replaces", run);
  REQUIRE(position.size() == 79);
  for (std::size_t block = 0; block < 79; ++block) {
    CHECK(position[block] == std::to_string(block));
    CHECK(core[block] == std::to_string(block % 4));
    CHECK(replaces[block] == (block < 4 ? "" : std::to_string(block - 4)));
  }
}

TEST_CASE("probe: it finds the gaps between launches of a stream and of a graph, and what a launch costs") {
  const Measured measured = measure({"--only", "gaps,launch"});
  const ProbeTable& gaps = measured.tables.at("gaps.launches.csv");
  for (const double gap : numbers(gaps.cells("gap_ns", {{"made_by", "host"}}))) CHECK(gap == Approx(1600).margin(32));
  for (const double gap : numbers(gaps.cells("gap_ns", {{"made_by", "graph"}}))) CHECK(gap == Approx(800).margin(32));
  CHECK(numbers(gaps.cells("gap_ns")).size() == 2 * 2 * 5 * 9);
  // 3,000 cycles until the first block, 1,500 of the host's call: 3 us.
  const ProbeTable& dispatch = measured.tables.at("launch.dispatch.csv");
  const std::vector<double> costs = numbers(dispatch.cells("median", {{"figure", "launch"}}));
  CHECK(costs.size() == 2 * 3 * 10);
  for (const double cost : costs) CHECK(cost == Approx(3000).margin(64));
}

TEST_CASE("probe: floods of blocks that do nothing show the interval, and large blocks the recovery") {
  const Measured measured = measure({"--only", "floods"});
  const ProbeTable& floods = measured.tables.at("floods.floods.csv");
  const auto cycles_per_block = [&](const std::string& threads) {
    const auto time = [&](const std::string& blocks) {
      return numbers(floods.cells("event_ns", {{"threads", threads}, {"blocks", blocks}})).at(1);
    };
    return (time("4096") - time("512")) / (4096 - 512) * 1.5;
  };
  CHECK(cycles_per_block("64") == Approx(30).margin(0.1));
  CHECK(cycles_per_block("256") == Approx(30).margin(0.1));
  // Each of the four cores holds one of these blocks, whose place is free again 450 cycles after its end.
  CHECK(cycles_per_block("1024") == Approx(450.0 / 4).margin(0.1));
}

TEST_CASE("probe: kinds of arithmetic that share a pipe take as long together as one after the other") {
  const Measured measured = measure({"--only", "pipes"});
  const ProbeTable& pipes = measured.tables.at("pipes.pipes.csv");
  const auto cycles = [&](const char* column, const std::string& first, const std::string& second) {
    return numbers(pipes.cells(column, {{"first", first}, {"second", second}})).at(0);
  };
  for (const auto& [first, second] : std::vector<std::pair<std::string, std::string>>{
           {"fp32", "int32"}, {"fp32", "sfu"}, {"int32", "sfu"}, {"fp64", "fp32"}, {"fp64", "int32"}}) {
    INFO(first << " " << second);
    const double slower = std::max(cycles("first_cycles", first, second), cycles("second_cycles", first, second));
    CHECK(cycles("both_cycles", first, second) == Approx(slower));
  }
  const double sum = cycles("first_cycles", "fp64", "sfu") + cycles("second_cycles", "fp64", "sfu");
  CHECK(cycles("both_cycles", "fp64", "sfu") == Approx(sum).margin(12));
}

TEST_CASE("probe: it finds after how many cycles a result can be used, and how many operations a core does per cycle") {
  const Measured measured = measure({"--only", "dependent,arithmetic"});
  const std::map<std::string, std::pair<double, double>> known{
      {"fp32", {4, 64}}, {"fp64", {40, 8}}, {"int32", {5, 32}}, {"sfu", {20, 16}}};
  for (const auto& [kind, truth] : known) {
    INFO(kind);
    const std::map<std::string, std::string> one_chain{{"kind", kind}, {"chains", "1"}};
    for (const double latency :
         numbers(measured.tables.at("dependent.dependent.csv").cells("cycles_per_operation", one_chain)))
      CHECK(latency == Approx(truth.first).epsilon(0.01));
    for (const double rate :
         numbers(measured.tables.at("arithmetic.arithmetic.csv").cells("operations_per_cycle", {{"kind", kind}})))
      CHECK(rate == Approx(truth.second).epsilon(0.01));
  }
}

TEST_CASE("probe: kernels of different pools of shared memory meet on a core, unless it drains before it changes") {
  const auto gaps = [](const std::string& run, const std::vector<std::string>& environment) {
    const Measured measured = measure({"--only", "pools"}, environment);
    return numbers(measured.tables.at("pools.launches.csv").cells("gap_ns", {{"run", run}}));
  };
  for (const std::string run : {"none_none", "none_large", "large_none"}) {
    INFO(run);
    for (const double gap : gaps(run, {})) CHECK(gap < 0);
    for (const double gap : gaps(run, {"PROBE_POOLS=1"})) CHECK((gap < 0) == (run == "none_none"));
  }
}

TEST_CASE("probe: each experiment says which keys of a device model it decides") {
  const std::string schema = read_file(source_path("models/device.schema.json"));
  for (const std::string& line : lines_of(run_program({kProbe, "--list"}).out)) {
    INFO(line);
    const std::size_t at = line.find("; decides ");
    REQUIRE(at != std::string::npos);
    std::istringstream keys(line.substr(at + 10));
    for (std::string key; std::getline(keys, key, ',');) {
      std::istringstream parts(key.substr(key.find_first_not_of(' ')));
      for (std::string part; std::getline(parts, part, '.');)
        CHECK(schema.find("\"" + part + "\": {") != std::string::npos);
    }
  }
}

TEST_CASE("probe: clocks that drift are not aligned, and the tables say so") {
  const Measured measured = measure({"--only", "slots"}, {"PROBE_CLOCKS_DRIFT=1"});
  CHECK(measured.ran.status == 0);
  CHECK(measured.faults == std::vector<std::string>{});
  CHECK(numbers(measured.tables.at("slots.blocks.csv").cells("start_cycles")).empty());
  CHECK(measured.tables.at("slots.dispatch.csv").cells("median", {{"figure", "interval"}}).empty());
  CHECK(measured.tables.at("probe.skipped.csv").cells("run") == std::vector<std::string>{"alignment"});
}

TEST_CASE("probe: an experiment that fails leaves no table, and the others go on") {
  const Measured measured = measure({"--only", "latency,barrier"}, {"PROBE_MEMORY_LIMIT=1000000"});
  CHECK(measured.ran.status == 1);
  CHECK(measured.tables.count("barrier.barrier.csv") == 1);
  CHECK(measured.tables.size() == 2);
  const ProbeTable& skipped = measured.tables.at("probe.skipped.csv");
  CHECK(skipped.cells("experiment") == std::vector<std::string>{"latency"});
  CHECK(skipped.cells("reason").at(0).find("Malloc") != std::string::npos);
}

TEST_CASE("probe: what the device lacks, or the budget does not hold, is skipped with its reason") {
  const Measured measured = measure({"--only", "clusters,barrier", "--budget", "0.001"});
  CHECK(measured.ran.status == 0);
  const ProbeTable& skipped = measured.tables.at("probe.skipped.csv");
  CHECK(skipped.cells("experiment") == std::vector<std::string>{"clusters", "barrier"});
  CHECK(skipped.cells("reason").at(0).find("compute_capability_9.0") != std::string::npos);
  CHECK(skipped.cells("reason").at(1).find("budget") != std::string::npos);
}

TEST_CASE("probe: without a GPU it shows its plan, which takes less than a minute, and measures nothing") {
  const std::vector<std::string> none{"PROBE_NO_DEVICE=1"};
  const Ran dry = run_program({kProbe, "--dry-run"}, none);
  CHECK(dry.status == 0);
  for (const std::string& line : lines_of(run_program({kProbe, "--list"}, none).out)) {
    const std::string name = line.substr(0, line.find(' '));
    INFO(name);
    CHECK(shape_of(dry.out).find("\n" + name + "\n") != std::string::npos);
  }
  const std::string last = dry.out.substr(dry.out.rfind("# at most "));
  CHECK(std::stod(last.substr(std::string("# at most ").size())) < 60);
  const Ran measured = run_program({kProbe, "--output", "/nowhere/at/all"}, none);
  CHECK(measured.status == 1);
  CHECK(measured.err.find("no GPU") != std::string::npos);
}

TEST_CASE("probe: a folder that holds something is refused and stays as it is") {
  const TemporaryFolder folder;
  folder.write("mine.txt", "precious");
  const Ran ran = run_program({kProbe, "--output", folder.path().string(), "--only", "barrier"});
  CHECK(ran.status == 1);
  CHECK(ran.err.find("not an empty folder") != std::string::npos);
  CHECK(folder.listing() == "mine.txt");
}

TEST_CASE("probe: all that is wrong with a command line is reported at once") {
  const Ran ran = run_program({kProbe, "--only", "nothing,barrier", "--device", "-1", "--loud", "--budget", "never"});
  CHECK(ran.status == 2);
  CHECK(ran.err ==
        "error: --device is '-1', not 0 to 1023\n"
        "error: '--loud' is no option; `probe --help` lists them\n"
        "error: --budget is 'never', not more than 0 and at most 3600 seconds\n"
        "error: 'nothing' is no experiment; there are: launch, threads, slots, registers, shared, drawn, memory, gaps, "
        "beside, pools, clusters, floods, latency, bandwidth, shared_memory, barrier, atomics, arithmetic, pipes, "
        "dependent\n");
}
