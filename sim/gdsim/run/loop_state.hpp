#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/state_words.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/run/events.hpp>
#include <gdsim/run/program_plan.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

/// Everything that an execution is in the middle of at the end of an instant, told so that it can recur some rounds of
/// loops later: times by their distance from then, phases of meetings by theirs from the last one, rounds apart.
struct LoopState {
  /// What a cohort does, or something that is nobody's.
  struct Item {
    CohortIndex cohort{};
    bool is_cohort = false;
    Picoseconds since;  ///< when the cohort began with it
    std::array<std::uint64_t, kMostLoops> rounds{};
    std::size_t words_end = 0;
  };

  Picoseconds time;
  std::vector<Item> items;
  StateWords words;
  std::vector<std::uint64_t> phases;  ///< complete ones, by active group, then meeting

  void clear(Picoseconds now) {
    time = now;
    items.clear();
    words.clear();
    phases.clear();
  }
};

/// How a state recurs: who has done so many more rounds of one loop, whatever else happened in between.
struct LoopPeriod {
  struct Advance {
    CohortIndex cohort{};
    std::uint8_t depth = 0;
    std::uint64_t rounds = 0;
  };

  Picoseconds time;
  std::vector<Advance> advances;
  std::vector<std::uint64_t> phases;  ///< by active group, then meeting
  std::uint64_t most = 0;             ///< so many more periods before a loop ends
};

/// What a kernel's threads have done with their time so far.
struct KernelUse {
  KernelId kernel{};
  std::vector<TimeUse> by_core;
};

}  // namespace gdsim
