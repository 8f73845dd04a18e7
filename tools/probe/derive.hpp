// Derives order, replacement and the figures of dispatch from a log of blocks. blocks.csv suffices to recalculate them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "alignment.hpp"
#include "kernels.hpp"

namespace probe {

/// The blocks of one launch, in the order of their numbers, and the derived values.
struct LaunchLog {
  std::vector<BlockRecord> blocks;
  std::vector<double> start_cycles;  ///< on aligned clocks, after the first start; empty if they are not aligned
  std::vector<std::size_t> position;
  std::vector<std::optional<std::size_t>> replaces;

  std::uint64_t first_start_ticks() const {
    std::uint64_t least = ~0ULL;
    for (const BlockRecord& one : blocks) least = std::min(least, one.start_ticks);
    return least;
  }
  std::uint64_t last_end_ticks() const {
    std::uint64_t most = 0;
    for (const BlockRecord& one : blocks) most = std::max(most, one.end_ticks);
    return most;
  }
};

inline void align_starts(LaunchLog& log, const Alignment& alignment) {
  if (log.blocks.empty()) return;
  const std::uint64_t base = log.blocks.front().start_clock;
  for (const BlockRecord& one : log.blocks) {
    const auto offset = alignment.offsets.find(one.core);
    const auto base_offset = alignment.offsets.find(log.blocks.front().core);
    if (offset == alignment.offsets.end() || base_offset == alignment.offsets.end()) {
      log.start_cycles.clear();
      return;
    }
    const auto since = static_cast<double>(static_cast<std::int64_t>(one.start_clock - base));
    log.start_cycles.push_back(since - (offset->second - base_offset->second));
  }
  const double first = *std::min_element(log.start_cycles.begin(), log.start_cycles.end());
  for (double& start : log.start_cycles) start -= first;
}

/// Orders the blocks' numbers by start: on aligned clocks if there are any, else by the timer; ties by number.
inline std::vector<std::size_t> by_start(const LaunchLog& log) {
  std::vector<std::size_t> order(log.blocks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (!log.start_cycles.empty()) return log.start_cycles[a] < log.start_cycles[b];
    return log.blocks[a].start_ticks < log.blocks[b].start_ticks;
  });
  return order;
}

/// On each core, by its own clock (no alignment needed), the earliest unused end before a start makes room for it.
inline void derive_order(LaunchLog& log, bool clock_counts) {
  const std::vector<std::size_t> order = by_start(log);
  log.position.resize(order.size());
  log.replaces.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) log.position[order[i]] = i;
  const auto start = [&](std::size_t b) {
    return clock_counts ? log.blocks[b].start_clock : log.blocks[b].start_ticks;
  };
  const auto end = [&](std::size_t b) { return clock_counts ? log.blocks[b].end_clock : log.blocks[b].end_ticks; };
  std::map<std::uint32_t, std::vector<std::size_t>> cores;
  for (std::size_t block = 0; block < log.blocks.size(); ++block) cores[log.blocks[block].core].push_back(block);
  for (auto& [core, started] : cores) {
    std::vector<std::size_t> ended = started;
    std::stable_sort(started.begin(), started.end(), [&](std::size_t a, std::size_t b) { return start(a) < start(b); });
    std::stable_sort(ended.begin(), ended.end(), [&](std::size_t a, std::size_t b) { return end(a) < end(b); });
    std::size_t next = 0;
    for (const std::size_t block : started) {
      if (end(ended[next]) <= start(block)) log.replaces[block] = ended[next++];
    }
  }
}

/// A figure of dispatch.csv.
struct Figure {
  std::string name, unit;
  std::vector<double> values;
};

/// Interval, recovery and residence. `unit` is cycles where the core's clock has 64 bits, else ns of the timer.
inline std::vector<Figure> figures(const Device& device, const LaunchLog& log) {
  const bool clock_counts = device.clock_bits == 64;
  const std::string unit = clock_counts ? "cycles" : "ns";
  Figure interval{"interval", "cycles", {}}, recovery{"recovery", unit, {}}, residence{"residence", unit, {}};
  const auto between = [&](const BlockRecord& from, bool from_end, const BlockRecord& to, bool to_end) {
    if (clock_counts) {
      return static_cast<double>((to_end ? to.end_clock : to.start_clock) -
                                 (from_end ? from.end_clock : from.start_clock));
    }
    return static_cast<double>(
        device.nanoseconds((to_end ? to.end_ticks : to.start_ticks) - (from_end ? from.end_ticks : from.start_ticks)));
  };
  std::vector<double> first_wave;
  for (std::size_t block = 0; block < log.blocks.size(); ++block) {
    residence.values.push_back(between(log.blocks[block], false, log.blocks[block], true));
    if (log.replaces[block]) {
      recovery.values.push_back(between(log.blocks[*log.replaces[block]], true, log.blocks[block], false));
    } else if (!log.start_cycles.empty()) {
      first_wave.push_back(log.start_cycles[block]);
    }
  }
  std::sort(first_wave.begin(), first_wave.end());
  for (std::size_t i = 1; i < first_wave.size(); ++i) interval.values.push_back(first_wave[i] - first_wave[i - 1]);
  return {interval, recovery, residence};
}

inline void add_figure(Table& table, const std::vector<std::string>& where, Figure figure) {
  if (figure.values.empty()) return;
  std::vector<double>& all = figure.values;
  std::sort(all.begin(), all.end());
  const double mean = std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
  double squares = 0;
  for (const double one : all) squares += (one - mean) * (one - mean);
  std::vector<std::string> row = where;
  for (const std::string& cell : {figure.name, figure.unit, std::to_string(all.size()), decimal(all.front()),
                                  decimal((all[(all.size() - 1) / 2] + all[all.size() / 2]) / 2), decimal(mean),
                                  decimal(all.back()), decimal(std::sqrt(squares / static_cast<double>(all.size())))}) {
    row.push_back(cell);
  }
  table.row(row);
}

}  // namespace probe
