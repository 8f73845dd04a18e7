#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/probe_model/block_runs.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// A row of `blocks`, as it is in the table.
struct RawBlock {
  std::uint32_t core = 0;
  std::uint32_t group = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t start_clock = 0;
  std::int64_t end_clock = 0;
  std::optional<std::int64_t> start_cycles;
  SourceMark mark;
};

/// The data of a launch in the tables: its first start and last end by `launches`, and its blocks.
struct RawLaunch {
  std::int64_t first_start_ns = 0;
  std::int64_t last_end_ns = 0;
  std::vector<RawBlock> blocks;
};

/// Reports rows that are impossible or contradict each other: an end before its start, a first start and last end that
/// are not those of the blocks, more cores than the device has, more threads at once than a core has, cycles and
/// nanoseconds of blocks that do not fit the clock. At most one of each kind per launch. `launches` are those of all
/// runs, one after the other.
void check_blocks(const ProbeFacts& facts, const std::vector<ProbedRun>& runs, const std::vector<RawLaunch>& launches,
                  Diagnostics& problems);

}  // namespace gdsim
