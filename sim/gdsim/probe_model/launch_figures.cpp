#include <gdsim/probe_model/model_figures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace gdsim {
namespace {

/// The mean time between the starts of blocks that began before any ended. Nothing for fewer than four such blocks, or
/// if all of them began within the error of aligned clocks.
std::optional<std::int64_t> mean_interval(const ProbedLaunch& launch) {
  constexpr std::size_t min_starts = 4;
  std::int64_t first_end = launch.blocks.front().end;
  for (const ProbedBlock& block : launch.blocks) first_end = std::min(first_end, block.end);
  std::vector<std::int64_t> starts;
  for (const ProbedBlock& block : launch.blocks)
    if (block.start < first_end) starts.push_back(block.start);
  if (starts.size() < min_starts) return std::nullopt;
  const auto [least, most] = std::minmax_element(starts.begin(), starts.end());
  if (*most - *least < kClockNoise) return std::nullopt;
  return (*most - *least) / static_cast<std::int64_t>(starts.size() - 1);
}

/// On each core, the first blocks take its slots, and then the n-th end makes room for the n-th of the others.
void add_recoveries(const ProbedLaunch& launch, std::vector<std::int64_t>& recoveries) {
  std::map<std::uint32_t, std::vector<const ProbedBlock*>> by_core;
  for (const ProbedBlock& block : launch.blocks) by_core[block.core].push_back(&block);
  for (auto& [core, blocks] : by_core) {
    if (blocks.size() <= launch.blocks_per_core) continue;
    std::vector<std::int64_t> starts;
    std::vector<std::int64_t> ends;
    for (const ProbedBlock* block : blocks) {
      starts.push_back(block->start);
      ends.push_back(block->end);
    }
    std::sort(starts.begin(), starts.end());
    std::sort(ends.begin(), ends.end());
    // A core that never was full does not show when a slot could be taken again.
    if (starts[launch.blocks_per_core - 1] >= ends.front()) continue;
    for (std::size_t i = launch.blocks_per_core; i < starts.size(); ++i)
      recoveries.push_back(starts[i] - ends[i - launch.blocks_per_core]);
  }
}

std::optional<SampleSummary> gap_summary(const std::vector<ProbedRun>& runs, bool in_graph) {
  std::vector<std::int64_t> gaps;
  for (const ProbedRun& run : runs)
    for (const ProbedLaunch& launch : run.launches)
      if (launch.gap_ns && launch.is_in_graph == in_graph) gaps.push_back(*launch.gap_ns * 1'000);
  return summary_of(std::move(gaps));
}

/// The summary of warm launches that are alone between events.
std::optional<SampleSummary> cost_summary(const std::vector<ProbedRun>& runs) {
  std::vector<std::int64_t> costs;
  for (const ProbedRun& run : runs)
    if (run.launches.size() == 1 && run.launches.front().event_ns && run.name.starts_with("warm"))
      costs.push_back((*run.launches.front().event_ns - run.launches.front().span_ns) * 1'000);
  return summary_of(std::move(costs));
}

}  // namespace

DispatchSamples dispatch_samples(const std::vector<ProbedRun>& runs) {
  DispatchSamples samples;
  for (const ProbedRun& run : runs) {
    if (run.launches.size() != 1) continue;
    const ProbedLaunch& launch = run.launches.front();
    if (!launch.has_cycles || launch.blocks_per_core == 0 || launch.cluster > 1) continue;
    if (const auto interval = mean_interval(launch)) samples.interval.push_back(*interval);
    add_recoveries(launch, samples.recovery);
  }
  return samples;
}

void add_launch_cost(const std::vector<ProbedRun>& gaps, const std::vector<ProbedRun>& launches, ValueList& values,
                     std::vector<std::string>& notes) {
  const auto graph = gap_summary(gaps, true);
  const auto stream = gap_summary(gaps, false);
  const auto cost = cost_summary(launches);
  if (stream)
    notes.push_back(
        fmt::format("launches that the host made one by one in a stream follow each other after {} ns (median of {}); "
                    "that holds the host's part, and is no value of the device",
                    rounded_thousandths(stream->median, 4), stream->count));
  if (!graph && !cost) {
    values.add_unknown("launch_cost",
                       "the tables gaps.launches and launch.launches, from which it would be taken, are not there");
    return;
  }
  if (!graph) {
    values.add_measured(
        "launch_cost", *cost, "ns",
        "event time of a warm launch less the span of its blocks, the events' own time included; how much of "
        "it launches of a graph hide behind each other is not known: gaps.launches is missing");
    return;
  }
  values.add_measured("launch_cost.serial", *graph, "ns",
                      "from the last end of a launch to the first start of the next one in a graph");
  if (!cost) {
    values.add_unknown("launch_cost.overlapping",
                       "the table launch.launches, from which it would be taken, is not there");
    return;
  }
  if (cost->median <= graph->median) {
    values.add_measured(
        "launch_cost.overlapping", "0 ns", cost->count,
        "a launch alone costs no more than the gap between launches of a graph: no part of it overlaps");
    return;
  }
  const SampleSummary rest{cost->count, std::max<std::int64_t>(cost->low - graph->median, 0),
                           cost->median - graph->median, std::max<std::int64_t>(cost->high - graph->median, 0)};
  values.add_measured(
      "launch_cost.overlapping", rest, "ns",
      "event time of a warm launch less the span of its blocks, the events' own time included, less the gap "
      "between launches of a graph");
}

}  // namespace gdsim
