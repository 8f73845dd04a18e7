#include "support/probe_tables.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <map>
#include <numeric>
#include <set>

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
        "beside, clusters, latency, bandwidth, shared_memory, barrier, atomics, arithmetic\n");
}
