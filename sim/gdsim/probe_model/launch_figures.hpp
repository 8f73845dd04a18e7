#pragma once

#include <gdsim/probe_model/block_runs.hpp>
#include <gdsim/probe_model/probed_model.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// The maximum error of aligned clocks of two cores, in thousandths of a cycle.
inline constexpr std::int64_t kClockNoise = 64'000;

/// Thousandths of cycles of one launch's dispatch; each may be empty.
struct DispatchSamples {
  std::vector<std::int64_t> interval;  ///< one per launch: mean time between blocks that start before any ends
  std::vector<std::int64_t> recovery;  ///< from a block's end to the start that takes its place on the core
};

/// The samples of launches alone on the device whose clocks are aligned. A recovery is counted where a core holds as
/// many blocks as it can: then the n-th end on it makes room for the n-th start after these blocks.
DispatchSamples dispatch_samples(const std::vector<ProbedRun>& runs);

/// Adds launch costs: the time between launches of a graph, and the event time of a warm launch less its blocks' span.
void add_launch_cost(const std::vector<ProbedRun>& gaps, const std::vector<ProbedRun>& launches, ValueList& values,
                     std::vector<std::string>& notes);

}  // namespace gdsim
