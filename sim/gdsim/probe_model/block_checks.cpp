#include <gdsim/probe_model/block_checks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace gdsim {
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

/// Reports more threads at once than a core has: by aligned clocks, or by the timer less its step without them.
void check_residency(const ProbeFacts& facts, const ProbedLaunch& plan, const RawLaunch& launch,
                     Diagnostics& problems) {
  const bool by_clock = facts.clock_bits == 64 && std::all_of(launch.blocks.begin(), launch.blocks.end(),
                                                              [](const RawBlock& one) { return one.start_cycles; });
  std::vector<std::tuple<std::uint32_t, std::int64_t, int, const RawBlock*>> changes;
  for (const RawBlock& block : launch.blocks) {
    const std::int64_t start = by_clock ? *block.start_cycles : block.start_ns + facts.timer_step_ns;
    const std::int64_t end = by_clock ? start + (block.end_clock - block.start_clock) : block.end_ns;
    changes.emplace_back(block.core, start, 1, &block);
    changes.emplace_back(block.core, end, -1, &block);
  }
  std::sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a), std::get<2>(a)) <
           std::tie(std::get<0>(b), std::get<1>(b), std::get<2>(b));
  });
  std::int64_t held = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& [core, at, by, block] = changes[i];
    if (i > 0 && std::get<0>(changes[i - 1]) != core) held = 0;
    held += by;
    if (held * plan.threads <= facts.threads_per_core) continue;
    problems.add(block->mark, fmt::format("with this block core {} holds {} blocks of {} threads at once, and has {} "
                                          "threads",
                                          core, held, plan.threads, facts.threads_per_core));
    return;
  }
}

/// The median of cycles per nanosecond of the launch's blocks.
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
