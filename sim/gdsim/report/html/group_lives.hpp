#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

/// One work-group that was placed.
struct GroupLife {
  std::size_t launch = 0;
  std::uint64_t group = 0;
  SimTime begin;  ///< its first thread was placed
  SimTime end;    ///< the end of the run if the work-group had not ended
  bool has_ended = false;

  Duration duration() const { return end - begin; }
};

/// The number of durations in each of kBins equal parts from min to max.
struct Histogram {
  static constexpr std::size_t kBins = 32;

  std::uint64_t count = 0;
  Duration min;
  Duration median;  ///< by nearest rank, like p95
  Duration p95;
  Duration max;
  UInt128 sum = 0;  ///< picoseconds
  std::array<std::uint64_t, kBins> bins{};
};

/// Without durations, all values are zero.
Histogram histogram_of(std::vector<Duration> durations);

/// Returns for each core the work-groups whose first thread was placed on it, sorted by start, launch and number.
std::vector<std::vector<GroupLife>> lives_by_core(const RunView& view);

/// Returns the gaps from the end of a work-group on a core to the start of its replacement. Each start in turn uses the
/// first end that no earlier start has used. Starts on what was free from the beginning have no gap.
std::vector<Duration> replacement_gaps(const std::vector<std::vector<GroupLife>>& lives);

}  // namespace gdsim
