#pragma once

#include <gdsim/record/bands.hpp>
#include <gdsim/record/run_record.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

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
