#pragma once

#include "support/random_runs.hpp"

#include <gdsim/record/segment_observer.hpp>

#include <cstdint>

// Runs of work-groups of different durations, which reuse each other's slots.

namespace gdsim::testing {

/// Requests only the number of reused slots.
class SlotCounter : public SegmentObserver {
 public:
  void on_instant(const Instant&) override {}
  void on_repeated(const Segment&, std::uint64_t) override {}
  void on_reuses_counted(std::uint64_t work_groups) override { count += work_groups; }

  std::uint64_t count = 0;
};

Draw draw_variation();
/// Draws a program of mostly fixed times and barriers, so that the end of a work-group is known.
Program draw_plain_program();
/// Draws a run of many work-groups of different durations, mostly of one launch.
RandomRun draw_jittered_run();
/// A run on 6 cores of 4 whole work-groups, each of about 10 us.
RandomRun jittered(std::uint64_t groups);

}  // namespace gdsim::testing
