#include "support/builders.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/scenario/csv_document.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>

using namespace gdsim;
using namespace gdsim::testing;

// How much a GPU reads, by how many threads are resident: tests/oracles/bandwidth_by_threads.csv, measured, against the
// shipped models. Each work-item loads 8 bytes, once; shared memory lets one or two blocks be on a core.

namespace {

struct Row {
  std::string device;
  std::uint64_t threads_per_block;
  std::uint64_t blocks_per_core;
  double read;  ///< measured, GB/s
};

std::vector<Row> measured() {
  const std::string name = "tests/oracles/bandwidth_by_threads.csv";
  const SourceText source(name, read_file(source_path(name)));
  Diagnostics problems;
  std::vector<Row> rows;
  for (const CsvRow& row : read_csv(source, problems).rows)
    rows.push_back({row.cells[1], std::stoull(row.cells[2]), std::stoull(row.cells[3]), std::stod(row.cells[4])});
  REQUIRE(problems.empty());
  return rows;
}

/// Every lane moves 8 bytes; the last thread of a block may have fewer lanes.
std::string program(std::uint64_t threads, std::uint64_t lanes) {
  const auto moves = [](std::uint64_t lanes_of_it) { return "memory: " + std::to_string(8 * lanes_of_it) + " B"; };
  const std::uint64_t full = threads / lanes;
  const std::uint64_t rest = threads % lanes;
  if (rest == 0) return moves(lanes);
  if (full == 0) return moves(rest);
  return "only: {threads: 0-" + std::to_string(full - 1) + ", body: [" + moves(lanes) +
         "]}, only: {threads: " + std::to_string(full) + ", body: [" + moves(rest) + "]}";
}

/// GB/s, of 1 Mi elements or 16 waves, whichever is more.
double simulated(const Row& row) {
  const bool is_amd = row.device.starts_with("mi");
  const std::uint64_t lanes = is_amd ? 64 : 32;
  const std::string device =
      "{base: " + row.device + ", work_groups_per_core: " + std::to_string(row.blocks_per_core) + "}";
  const auto text = [&](std::uint64_t blocks) {
    return "scenario: read\ndevice: " + device +
           "\nkernels:\n  k: {global: " + std::to_string(blocks * row.threads_per_block) +
           ", local: " + std::to_string(row.threads_per_block) + ", sub_group: " + std::to_string(lanes) +
           ", program: [" + program(row.threads_per_block, lanes) + "]}\nlaunches: [{kernel: k}]\n";
  };
  const std::uint64_t cores = read_text(text(1)).scenario().device.cores;
  const std::uint64_t blocks =
      std::max((std::uint64_t{1} << 20) / row.threads_per_block, 16 * cores * row.blocks_per_core);
  const ReadText read = read_text(text(blocks));
  const RunResult result = simulate(read.scenario().device, read.scenario().dispatch, read.scenario().workload);
  REQUIRE(result.record.outcome == Outcome::completed);
  const auto bytes = static_cast<double>(8 * blocks * row.threads_per_block);
  return bytes * 1e3 / static_cast<double>(result.record.duration().count);
}

}  // namespace

TEST_CASE("what five GPUs read with few and with many resident threads, within 10 % on average") {
  std::map<std::string, std::pair<double, int>> errors;
  double sum = 0;
  const std::vector<Row> rows = measured();
  REQUIRE(rows.size() == 187);
  for (const Row& row : rows) {
    const double error = std::abs(simulated(row) / row.read - 1);
    auto& [of_device, count] = errors[row.device];
    of_device += error;
    ++count;
    sum += error;
  }
  REQUIRE(errors.size() == 5);
  for (const auto& [device, error] : errors) {
    INFO(device << ": " << 100 * error.first / error.second << " %");
    CHECK(error.first / error.second < 0.10);
  }
  CHECK(sum / static_cast<double>(rows.size()) < 0.10);
}
