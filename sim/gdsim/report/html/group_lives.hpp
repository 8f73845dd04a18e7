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
  SimTime start;  ///< its first thread was placed
  SimTime end;    ///< that of the run if it had not ended
  bool has_ended = false;

  Duration duration() const { return end - start; }
};

/// How many of some durations lie in each of kBins equal parts from min to max.
struct Histogram {
  static constexpr std::size_t kBins = 32;

  std::uint64_t count = 0;
  Duration min;
  Duration median;  ///< by nearest rank, as p95
  Duration p95;
  Duration max;
  UInt128 sum = 0;  ///< picoseconds
  std::array<std::uint64_t, kBins> bins{};
};

/// Zeros of no durations.
Histogram histogram_of(std::vector<Duration> durations);

/// The work-groups of each core, by start, then launch, then number: those whose first thread was placed there.
std::vector<std::vector<GroupLife>> lives_by_core(const RunView& view);

/// From the end of a work-group on a core to the start of the one that took its place: the first end that no start
/// before has used. Starts on what was free from the beginning have none.
std::vector<Duration> replacement_gaps(const std::vector<std::vector<GroupLife>>& lives);

}  // namespace gdsim
