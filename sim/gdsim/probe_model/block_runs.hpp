#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/probe_model/probe_logs.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The core and the times of one block. Times are in thousandths of a cycle on aligned clocks, or in picoseconds of the
/// timer if clocks could not be aligned (ProbedLaunch::has_cycles), after the first start of its launch.
struct ProbedBlock {
  std::uint32_t core = 0;   ///< the hardware's number, which may leave holes
  std::uint32_t group = 0;  ///< AMD's shader engine; 0 where there is none
  std::int64_t start = 0;
  std::int64_t end = 0;
};

/// One launch of a kernel that logged its blocks.
struct ProbedLaunch {
  std::uint32_t threads = 0;  ///< of a block
  std::optional<std::uint32_t> registers;
  std::int64_t shared_bytes = 0;
  std::uint32_t cluster = 1;
  std::uint32_t blocks_per_core = 0;  ///< as the runtime calculates
  std::string body;
  bool is_in_graph = false;
  std::optional<std::int64_t> gap_ns;    ///< since the last end of the previous launch
  std::optional<std::int64_t> event_ns;  ///< between events around the repetition
  std::int64_t span_ns = 0;              ///< from the first start to the last end, by the timer
  bool has_cycles = false;
  std::vector<ProbedBlock> blocks;  ///< by number
  SourceMark mark;
};

/// One repetition of a run: its launches, one after the other or in streams.
struct ProbedRun {
  std::string experiment;
  std::string name;
  std::int64_t repetition = 0;
  std::vector<ProbedLaunch> launches;

  /// `threads64_waves_1, repetition 2`.
  std::string title() const;
};

/// The runs of an experiment whose blocks logged themselves, from its tables `launches` and `blocks`. None if one of
/// the tables is missing. If the data contradict themselves (blocks that are missing or twice, ends before starts, more
/// blocks at once than a core has threads, cycles and nanoseconds that do not fit), there are none, and the reasons are
/// added to `left_out`.
std::vector<ProbedRun> read_block_runs(const ProbeLogs& logs, std::string_view experiment,
                                       std::vector<Diagnostic>& left_out);

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
