#pragma once

#include <gdsim/model/operation.hpp>

namespace gdsim {

/// The end of a loop's body: another iteration, or on behind the loop.
struct LoopEndOperation {
  static constexpr TimeKind waiting = TimeKind::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(ModelState&, Cohort& cohort, const Op& op) {
    std::uint64_t& iterations = cohort.iterations[op.depth];
    if (++iterations < op.count) {
      cohort.at = op.target;
    } else {
      iterations = 0;
      ++cohort.at;
    }
    return Progress::goes_on;
  }
};

}  // namespace gdsim
