#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// Returns true if the work-group changes, and the cores they are on, are few enough to be animated one by one.
bool is_animated(const RunView& view);

/// Every change of every work-group as JSON, for the animation of dispatch: `changes`, eleven numbers each: picoseconds
/// from the start, kind (0 comes, 1 changes, 2 leaves), launch, number, core, threads, waiting, ended, 1 if a part of
/// the work-group is not placed, and where it is held meanwhile (0: nowhere, or not known; 1: at its core; 2, 3, ...:
/// at port 1, 2, ...), and all its threads, 0 if that is not known, or all are placed at once; the number of `ports`,
/// or null; `names` of launches; if any are collectives, `exchanges`, their numbers. Only the number of held ports is
/// the dispatcher's: a work-group is drawn at the free port of the lowest number.
std::string dispatch_changes(const RunView& view);

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

/// The work-groups of a run as JSON for the script of its page: the number resident on every core over time, and the
/// single work-groups of all cores, or of as many cores as the page has room for. `changes` has their changes in a
/// small run, for its animation. `null` if the record lacks their starts and ends.
std::string group_data(const RunView& view);

}  // namespace gdsim
