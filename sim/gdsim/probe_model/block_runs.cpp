#include <gdsim/probe_model/block_runs.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/device_limits.hpp>
#include <gdsim/probe_model/block_checks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

constexpr std::int64_t kMaxBlocks = 10'000'000;

/// Run, repetition, launch.
using LaunchKey = std::tuple<std::string, std::int64_t, std::int64_t>;

LaunchKey key_of(ProbeCells& cells, const CsvRow& row) {
  return {cells.text(row, "run"), cells.bounded(row, "repetition", 0, 1'000'000),
          cells.bounded(row, "launch", 0, 1'000'000)};
}

class BlockRunReader {
 public:
  BlockRunReader(const ProbeLogs& logs, const ProbeTable& launches, const ProbeTable& blocks)
      : facts_(logs.facts), launches_(launches), blocks_(blocks) {}

  std::vector<ProbedRun> read(std::vector<Diagnostic>& left_out) {
    read_launches();
    read_blocks();
    if (problems_.empty()) check_blocks(facts_, runs_, raw_, problems_);
    if (problems_.empty()) {
      align();
      return std::move(runs_);
    }
    problems_.put_in_order();
    left_out.insert(left_out.end(), problems_.problems().begin(), problems_.problems().end());
    return {};
  }

 private:
  void read_launches() {
    ProbeCells cells(launches_, problems_);
    for (const CsvRow& row : launches_.document.rows) {
      const LaunchKey key = key_of(cells, row);
      const auto& [name, repetition, number] = key;
      if (runs_.empty() || runs_.back().name != name || runs_.back().repetition != repetition)
        runs_.push_back({launches_.experiment, name, repetition, {}});
      ProbedRun& run = runs_.back();
      if (number != static_cast<std::int64_t>(run.launches.size()) || flat_.contains(key)) {
        problems_.add(row.mark, fmt::format("launch {} of {} is none that follows", number, printable(run.title())));
        continue;
      }
      ProbedLaunch& launch = run.launches.emplace_back();
      launch.mark = row.mark;
      launch.threads = static_cast<std::uint32_t>(cells.bounded(row, "threads", 1, device_limits::kWorkGroup));
      if (const auto registers = cells.optional_whole(row, "registers"))
        launch.registers = static_cast<std::uint32_t>(std::clamp<std::int64_t>(*registers, 0, 1'000'000));
      launch.shared_bytes = cells.bounded(row, "shared_bytes", 0, std::int64_t{1} << 32);
      launch.cluster = static_cast<std::uint32_t>(cells.bounded(row, "cluster", 1, 1'024));
      launch.blocks_per_core = static_cast<std::uint32_t>(cells.bounded(row, "blocks_per_core", 0, 100'000));
      launch.body = cells.text(row, "body");
      launch.is_in_graph = cells.text(row, "made_by") == "graph";
      launch.gap_ns = cells.optional_whole(row, "gap_ns");
      launch.event_ns = cells.optional_whole(row, "event_ns");
      launch.span_ns = cells.whole(row, "last_end_ns") - cells.whole(row, "first_start_ns");
      blocks_of_.push_back(cells.bounded(row, "blocks", 1, kMaxBlocks));
      raw_.push_back({cells.whole(row, "first_start_ns"), cells.whole(row, "last_end_ns"), {}});
      flat_.emplace(key, raw_.size() - 1);
    }
  }

  void read_blocks() {
    ProbeCells cells(blocks_, problems_);
    for (const CsvRow& row : blocks_.document.rows) {
      const LaunchKey key = key_of(cells, row);
      const auto found = flat_.find(key);
      if (found == flat_.end()) {
        problems_.add(row.mark, "this block is of a launch that the table of launches does not have");
        continue;
      }
      RawLaunch& launch = raw_[found->second];
      const std::int64_t number = cells.whole(row, "block");
      if (number != static_cast<std::int64_t>(launch.blocks.size()) || number >= blocks_of_[found->second]) {
        problems_.add(row.mark,
                      fmt::format("block {} does not follow block {} of {} blocks", number,
                                  static_cast<std::int64_t>(launch.blocks.size()) - 1, blocks_of_[found->second]));
        if (problems_.size() > kMaxProblemsShown) return;
        continue;
      }
      RawBlock block;
      block.core = static_cast<std::uint32_t>(cells.bounded(row, "core", 0, device_limits::kCores - 1));
      block.group = static_cast<std::uint32_t>(
          std::clamp<std::int64_t>(cells.optional_whole(row, "group").value_or(0), 0, device_limits::kCores - 1));
      block.start_ns = cells.whole(row, "start_ns");
      block.end_ns = cells.whole(row, "end_ns");
      block.start_clock = cells.whole(row, "start_clock");
      block.end_clock = cells.whole(row, "end_clock");
      block.start_cycles = cells.optional_whole(row, "start_cycles");
      block.mark = row.mark;
      launch.blocks.push_back(block);
    }
    for (const auto& [key, index] : flat_)
      if (static_cast<std::int64_t>(raw_[index].blocks.size()) != blocks_of_[index] && problems_.empty())
        problems_.add({blocks_.source, 1, 1},
                      fmt::format("{} repetition {} launch {} has {} blocks here, and {} by the table of launches",
                                  printable(std::get<0>(key)), std::get<1>(key), std::get<2>(key),
                                  raw_[index].blocks.size(), blocks_of_[index]));
  }

  /// Makes times relative to the first start: aligned cycles, or nanoseconds of the timer.
  void align() {
    std::size_t index = 0;
    for (ProbedRun& run : runs_)
      for (ProbedLaunch& launch : run.launches) {
        const RawLaunch& raw = raw_[index++];
        launch.has_cycles = facts_.clock_bits == 64 && std::all_of(raw.blocks.begin(), raw.blocks.end(),
                                                                   [](const RawBlock& b) { return b.start_cycles; });
        for (const RawBlock& block : raw.blocks) {
          const std::int64_t start = launch.has_cycles ? *block.start_cycles : block.start_ns - raw.first_start_ns;
          const std::int64_t length =
              launch.has_cycles ? block.end_clock - block.start_clock : block.end_ns - block.start_ns;
          launch.blocks.push_back({block.core, block.group, start * 1'000, (start + length) * 1'000});
        }
      }
  }

  const ProbeFacts& facts_;
  const ProbeTable& launches_;
  const ProbeTable& blocks_;
  Diagnostics problems_;
  std::vector<ProbedRun> runs_;
  std::vector<RawLaunch> raw_;             ///< of all runs, one after the other
  std::vector<std::int64_t> blocks_of_;    ///< by the table of launches, in the same order
  std::map<LaunchKey, std::size_t> flat_;  ///< position in both lists
};

}  // namespace

std::string ProbedRun::title() const { return fmt::format("{}, repetition {}", name, repetition); }

std::vector<ProbedRun> read_block_runs(const ProbeLogs& logs, std::string_view experiment,
                                       std::vector<Diagnostic>& left_out) {
  const ProbeTable* launches = logs.find(experiment, "launches");
  const ProbeTable* blocks = logs.find(experiment, "blocks");
  if (launches == nullptr || blocks == nullptr) return {};
  return BlockRunReader(logs, *launches, *blocks).read(left_out);
}

}  // namespace gdsim
