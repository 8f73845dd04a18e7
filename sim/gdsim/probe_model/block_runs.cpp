#include <gdsim/probe_model/block_runs.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
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

/// Returns true if cycles are counted, and every block has its start in cycles that are aligned among cores.
bool has_aligned_clocks(const ProbeFacts& facts, const RawLaunch& launch) {
  return facts.clock_bits == 64 && std::all_of(launch.blocks.begin(), launch.blocks.end(),
                                               [](const RawBlock& block) { return block.start_cycles; });
}

/// Returns the block's length in cycles, or in nanoseconds of the timer.
std::int64_t length_of(const RawBlock& block, bool has_cycles) {
  return has_cycles ? block.end_clock - block.start_clock : block.end_ns - block.start_ns;
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
      if (number != static_cast<std::int64_t>(run.launches.size()) || position_of_.contains(key)) {
        problems_.add(row.mark,
                      fmt::format("launch {} of {} does not follow the one before it", number, printable(run.title())));
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
      position_of_.emplace(key, raw_.size() - 1);
    }
  }

  void read_blocks() {
    ProbeCells cells(blocks_, problems_);
    for (const CsvRow& row : blocks_.document.rows) {
      const LaunchKey key = key_of(cells, row);
      const auto entry = position_of_.find(key);
      if (entry == position_of_.end()) {
        problems_.add(row.mark, "this block is of a launch that the table of launches does not have");
        continue;
      }
      RawLaunch& launch = raw_[entry->second];
      const std::int64_t number = cells.whole(row, "block");
      if (number != static_cast<std::int64_t>(launch.blocks.size()) || number >= blocks_of_[entry->second]) {
        problems_.add(row.mark,
                      fmt::format("block {} does not follow block {} of {} blocks", number,
                                  static_cast<std::int64_t>(launch.blocks.size()) - 1, blocks_of_[entry->second]));
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
    for (const auto& [key, index] : position_of_)
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
        launch.has_cycles = has_aligned_clocks(facts_, raw);
        for (const RawBlock& block : raw.blocks) {
          const std::int64_t start = launch.has_cycles ? *block.start_cycles : block.start_ns - raw.first_start_ns;
          const std::int64_t end = start + length_of(block, launch.has_cycles);
          launch.blocks.push_back({block.core, block.group, start * 1'000, end * 1'000});
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
  std::map<LaunchKey, std::size_t> position_of_;  ///< in both lists
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

namespace {

/// Cycles and nanoseconds may differ by this percentage: clocks rise and fall.
constexpr std::int64_t kClockPercent = 30;

void check_order(const RawLaunch& launch, Diagnostics& problems) {
  for (const RawBlock& block : launch.blocks)
    if (block.end_ns < block.start_ns) {
      problems.add(block.mark,
                   fmt::format("the block ends at {} ns, before its start at {} ns", block.end_ns, block.start_ns));
      return;
    }
}

void check_span(const RawLaunch& launch, const SourceMark& mark, Diagnostics& problems) {
  const auto first = std::min_element(launch.blocks.begin(), launch.blocks.end(),
                                      [](const RawBlock& a, const RawBlock& b) { return a.start_ns < b.start_ns; });
  const auto last = std::max_element(launch.blocks.begin(), launch.blocks.end(),
                                     [](const RawBlock& a, const RawBlock& b) { return a.end_ns < b.end_ns; });
  if (first->start_ns == launch.first_start_ns && last->end_ns == launch.last_end_ns) return;
  problems.add(mark, fmt::format("the launch lasts from {} ns to {} ns, and its blocks from {} ns to {} ns",
                                 launch.first_start_ns, launch.last_end_ns, first->start_ns, last->end_ns));
}

/// A block that a core begins or ceases to hold.
struct ResidencyChange {
  std::uint32_t core = 0;
  std::int64_t time = 0;
  int by = 0;  ///< 1 or -1
  const RawBlock* block = nullptr;
};

/// Reports more threads at once than a core has: by aligned clocks, or by the timer less its step without them.
void check_residency(const ProbeFacts& facts, const ProbedLaunch& plan, const RawLaunch& launch,
                     Diagnostics& problems) {
  const bool by_clock = has_aligned_clocks(facts, launch);
  std::vector<ResidencyChange> changes;
  for (const RawBlock& block : launch.blocks) {
    const std::int64_t start = by_clock ? *block.start_cycles : block.start_ns + facts.timer_step_ns;
    const std::int64_t end = by_clock ? start + length_of(block, by_clock) : block.end_ns;
    changes.push_back({block.core, start, 1, &block});
    changes.push_back({block.core, end, -1, &block});
  }
  std::sort(changes.begin(), changes.end(), [](const ResidencyChange& a, const ResidencyChange& b) {
    return std::tie(a.core, a.time, a.by) < std::tie(b.core, b.time, b.by);
  });
  std::int64_t held = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& [core, time, by, block] = changes[i];
    if (i > 0 && changes[i - 1].core != core) held = 0;
    held += by;
    if (held * plan.threads <= facts.threads_per_core) continue;
    problems.add(block->mark, fmt::format("with this block core {} holds {} blocks of {} threads at once, and has {} "
                                          "threads",
                                          core, held, plan.threads, facts.threads_per_core));
    return;
  }
}

/// Reports a launch whose median block differs from the clock by more than kClockPercent.
void check_clock(const ProbeFacts& facts, const RawLaunch& launch, Diagnostics& problems) {
  if (facts.clock_bits != 64 || facts.clock_hertz == 0) return;
  std::vector<std::pair<double, const RawBlock*>> ratios;
  for (const RawBlock& block : launch.blocks) {
    const std::int64_t ns = block.end_ns - block.start_ns;
    if (ns < 20 * std::max<std::int64_t>(1, facts.timer_step_ns)) continue;  // too short for the timer
    const auto cycles = static_cast<double>(block.end_clock - block.start_clock);
    ratios.emplace_back(cycles / static_cast<double>(ns) / (static_cast<double>(facts.clock_hertz) / 1e9), &block);
  }
  if (ratios.empty()) return;
  std::sort(ratios.begin(), ratios.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second->mark.line) < std::pair(b.first, b.second->mark.line);
  });
  const auto& [ratio, block] = ratios[ratios.size() / 2];
  if (std::abs(ratio - 1) * 100 <= static_cast<double>(kClockPercent)) return;
  problems.add(
      block->mark,
      fmt::format(
          "this block took {} cycles and {} ns, which is {:.2f} times the clock of {} MHz; half of the launch's "
          "blocks show the same",
          block->end_clock - block->start_clock, block->end_ns - block->start_ns, ratio,
          facts.clock_hertz / 1'000'000));
}

}  // namespace

void check_blocks(const ProbeFacts& facts, const std::vector<ProbedRun>& runs, const std::vector<RawLaunch>& launches,
                  Diagnostics& problems) {
  std::set<std::uint32_t> cores;
  std::size_t index = 0;
  for (const ProbedRun& run : runs)
    for (const ProbedLaunch& plan : run.launches) {
      const RawLaunch& launch = launches[index++];
      check_order(launch, problems);
      check_span(launch, plan.mark, problems);
      check_residency(facts, plan, launch, problems);
      check_clock(facts, launch, problems);
      for (const RawBlock& block : launch.blocks)
        if (cores.insert(block.core).second && cores.size() == std::size_t{facts.cores} + 1)
          problems.add(block.mark, fmt::format("with core {} there are more than the {} cores of the device",
                                               block.core, facts.cores));
    }
}

}  // namespace gdsim
