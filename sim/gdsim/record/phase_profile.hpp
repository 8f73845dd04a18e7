#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>

namespace gdsim {

/// One or more intervals of constant residency that follow each other: what phases are made from.
struct ProfileItem {
  SimTime start;
  SimTime end;
  Int128 resident_time = 0;        ///< thread-picoseconds
  Int128 running_time = 0;         ///< thread-picoseconds
  std::uint64_t cores_busy = 0;    ///< the most at any instant
  std::uint64_t min_resident = 0;  ///< threads
  std::uint64_t max_resident = 0;  ///< threads
  std::uint64_t first = 0;         ///< resident threads of the first interval
  std::uint64_t last = 0;          ///< resident threads of the last interval
  std::uint64_t intervals = 0;
  std::uint64_t risen = 0;   ///< threads by which the count rose between these intervals, all rises together
  std::uint64_t fallen = 0;  ///< threads by which it fell
  std::uint64_t jumps = 0;   ///< changes higher than a band, the one to its first interval included
  bool is_long = false;      ///< one interval that was no transition when it ended

  Duration duration() const { return end - start; }
  /// Continues with `next`, which begins where this ends.
  void append(const ProfileItem& next);
};

}  // namespace gdsim
