#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/in_order.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/record/timeline.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// Exact statistics of values of equal weight. Percentiles are by nearest rank.
template <class T>
struct Spread {
  T min{};
  T p5{};
  T p50{};
  T p95{};
  T max{};
};

/// Returns the statistics of `sorted`, which must be ascending and not empty.
template <class T>
Spread<T> spread_of(const std::vector<T>& sorted) {
  const auto rank = [&](std::size_t percent) { return sorted[(sorted.size() * percent + 99) / 100 - 1]; };
  return {sorted.front(), rank(5), rank(50), rank(95), sorted.back()};
}

/// One interval of time of all runs, with each run's integral of resident threads over it, thread-picoseconds. The
/// integral is 0 after the end of a run; threads of a deadlocked run hold their contexts to the end of the last band.
struct Band {
  SimTime begin;
  SimTime end;
  Int128 sum = 0;  ///< of all runs
  Spread<Int128> resident_time;
};

/// Divides the time from the first start to the last end of the runs into `count` bands. The last may be shorter.
std::vector<Band> make_bands(std::span<const ResidentTimeline> runs, std::size_t count, Jobs jobs = {});

/// One of several runs that differ only in their seeds.
struct Repetition {
  std::uint64_t number = 0;  ///< from 1; every seed is higher by `number` - 1
  RunRecord record;
};

/// The maximum number of runs.
inline constexpr std::uint64_t kMaxRepetitions = 10'000;

/// The results of all runs.
struct Repetitions {
  std::vector<Repetition> runs;  ///< all runs that were not interrupted
  std::uint64_t planned = 0;
  std::vector<Band> bands;
  std::uint64_t contexts_total = 0;
};

}  // namespace gdsim
