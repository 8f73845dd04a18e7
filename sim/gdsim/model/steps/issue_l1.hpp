#pragma once

#include <gdsim/model/steps/issue.hpp>

namespace gdsim {

/// What the op behind it needs of the pipe: threads come here and go on.
struct L1Operation : NeverIsolated {
  static constexpr TimeKind waiting = TimeKind::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(ModelState& state, CohortIndex index, const Op&) {
    ++state.cohorts[index].at;
    return Progress::continues;
  }
};

/// Threads share issue slots and the pipe of their core's L1 at the same time, until both have served them. What they
/// need of the pipe is the amount of the op before this one.
struct IssueL1Operation : NeverIsolated {
  static constexpr TimeKind waiting = TimeKind::issue;  ///< or `slm`, see end_part()
  static constexpr Executing executing = Executing::by_two_works;

  static Progress enter(ModelState& state, CohortIndex index, const Op& op) {
    const ShareWeight weight = weight_of(state, state.cohorts[index], op);
    const std::int64_t work = amount_of(state, state.cohorts[index]);
    const std::int64_t lines = amount_of(state, state.cohorts[index], state.cohorts[index].at - 1);
    const CoreId core = state.cohorts[index].part.core;
    use_by_issue_pool(state, index, [&](std::uint32_t pool, CohortIndex cohort, std::uint32_t threads) {
      begin_step(state, state.cohorts[cohort]);
      state.cohorts[cohort].phase = 0;
      state.resources.use_issue(state.step_begin(), core, pool, cohort, threads, work, weight);
      state.resources.use_slm(state.step_begin(), core, cohort, threads, lines, weight);
    });
    return Progress::stays;
  }
};

}  // namespace gdsim
