#pragma once

#include "measured/table.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace gdsim::testing {

/// What a GPU reads and writes with so many resident threads.
struct BandwidthRow {
  std::string device;
  std::uint64_t threads_per_block;
  std::uint64_t blocks_per_core;
  double read;  ///< measured, GB/s, as the rates of the kernels that store
  double write;
  double scale;
  double triad;
};

/// A kernel of one element per work-item: 8 bytes loaded `loads` times, then stored or not.
struct Stream {
  std::string name;
  double BandwidthRow::*measured;
  std::uint64_t loads;
  bool stores;

  std::uint64_t bytes() const { return 8 * (loads + (stores ? 1 : 0)); }
};
inline const Stream kRead{"read", &BandwidthRow::read, 1, false};
inline const std::vector<Stream> kStores{
    {"write", &BandwidthRow::write, 0, true}, {"scale", &BandwidthRow::scale, 1, true}, {"triad", &BandwidthRow::triad, 3, true}};

/// Stores are compared where at most so many work-items are resident on a core: beyond, all are bound by the memory.
inline constexpr std::uint64_t kMaxThreadsOfStores = 512;

inline std::vector<BandwidthRow> bandwidth_rows() {
  std::vector<BandwidthRow> rows;
  for (const auto& row : measured("bandwidth_by_threads.csv"))
    rows.push_back({row[1], std::stoull(row[2]), std::stoull(row[3]), std::stod(row[4]), std::stod(row[5]),
                    std::stod(row[6]), std::stod(row[7])});
  return rows;
}

/// Every lane moves 8 bytes at a time; the last thread of a block may have fewer lanes.
inline std::string program(const Stream& stream, std::uint64_t threads, std::uint64_t lanes) {
  const auto moves = [&](std::uint64_t lanes_of_it) {
    const std::string bytes = std::to_string(8 * lanes_of_it) + " B";
    const std::string loads = "memory: " + std::to_string(8 * lanes_of_it * stream.loads) + " B";
    if (stream.loads == 0) return "store: " + bytes;
    return stream.stores ? loads + ", store: " + bytes : loads;
  };
  const std::uint64_t full = threads / lanes;
  const std::uint64_t rest = threads % lanes;
  if (rest == 0) return moves(lanes);
  if (full == 0) return moves(rest);
  return "only: {threads: 0-" + std::to_string(full - 1) + ", body: [" + moves(lanes) +
         "]}, only: {threads: " + std::to_string(full) + ", body: [" + moves(rest) + "]}";
}

/// GB/s, of 1 Mi elements or 16 waves, whichever is more.
inline double simulated_bandwidth(const BandwidthRow& row, const Stream& stream = kRead) {
  const bool is_amd = row.device.starts_with("mi");
  const std::uint64_t lanes = is_amd ? 64 : 32;
  const std::string device =
      "{base: " + row.device + ", work_groups_per_core: " + std::to_string(row.blocks_per_core) + "}";
  const auto text = [&](std::uint64_t blocks) {
    return "scenario: stream\ndevice: " + device +
           "\nkernels:\n  k: {global: " + std::to_string(blocks * row.threads_per_block) +
           ", local: " + std::to_string(row.threads_per_block) + ", sub_group: " + std::to_string(lanes) +
           ", program: [" + program(stream, row.threads_per_block, lanes) + "]}\nlaunches: [{kernel: k}]\n";
  };
  const std::uint64_t cores = read_text(text(1)).scenario().device.cores;
  const std::uint64_t blocks =
      std::max((std::uint64_t{1} << 20) / row.threads_per_block, 16 * cores * row.blocks_per_core);
  const ReadText read = read_text(text(blocks));
  const RunResult result = simulate(read.scenario().device, read.scenario().dispatch, read.scenario().workload);
  REQUIRE(result.record.outcome == Outcome::completed);
  const auto bytes = static_cast<double>(stream.bytes() * blocks * row.threads_per_block);
  return bytes * 1e3 / static_cast<double>(result.record.active().count);
}

}  // namespace gdsim::testing
