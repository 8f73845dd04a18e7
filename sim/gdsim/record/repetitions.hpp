#pragma once

#include <gdsim/record/bands.hpp>
#include <gdsim/record/run_record.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// One of several runs that differ in their seeds only.
struct Repetition {
  std::uint64_t number = 0;  ///< from 1; every seed is higher by this, less 1
  RunRecord record;
};

/// More runs are refused.
inline constexpr std::uint64_t kMaxRepetitions = 10'000;

/// The results of all runs.
struct Repetitions {
  std::vector<Repetition> runs;  ///< those that were not interrupted
  std::uint64_t planned = 0;
  std::vector<Band> bands;
  std::uint64_t contexts_total = 0;
};

}  // namespace gdsim
