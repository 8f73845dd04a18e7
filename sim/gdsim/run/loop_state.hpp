#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/state_words.hpp>
#include <gdsim/program/program_plan.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/run/events.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
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

  /// How often threads have come to a meeting, or waited there, and do so in each period.
  struct Course {
    GroupIndex group{};
    std::uint32_t meeting = 0;
    bool waits = false;  ///< else comes
    bool has_barrier = false;
    std::uint32_t threads = 0;
    std::uint64_t done = 0;
    std::uint64_t more = 0;
  };

  Picoseconds time;
  std::vector<Advance> advances;
  std::vector<std::uint64_t> phases;       ///< by active group, then meeting
  std::vector<std::size_t> first_meeting;  ///< by group: where its meetings begin among those
  std::vector<Course> courses;             ///< of all who advance, by group, then meeting
  std::uint64_t most = 0;                  ///< so many more periods before a loop ends, or someone's lead does

  std::uint64_t phases_of(GroupIndex group, std::uint32_t meeting) const {
    return phases[first_meeting[static_cast<std::size_t>(group)] + meeting];
  }
  void sort_courses() { std::sort(courses.begin(), courses.end(), is_before); }
  std::span<const Course> courses_at(GroupIndex group, std::uint32_t meeting) const {
    const auto [first, last] = std::equal_range(courses.begin(), courses.end(), Course{group, meeting}, is_before);
    return {first, last};
  }

 private:
  static bool is_before(const Course& a, const Course& b) {
    return std::tie(a.group, a.meeting) < std::tie(b.group, b.meeting);
  }
};

/// What a kernel's threads have done with their time so far.
struct KernelUse {
  KernelId kernel{};
  std::vector<TimeUse> by_core;
};

}  // namespace gdsim
