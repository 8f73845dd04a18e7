#pragma once

#include <gdsim/model/steps/operation.hpp>
#include <gdsim/model/works.hpp>

namespace gdsim {

/// Splits the cohort by issue pool, and calls `use(pool, cohort, threads)` for each pool with threads of it. The last
/// part remains the cohort.
template <class Use>
void use_by_issue_pool(StepState& state, CohortIndex index, Use use) {
  const CoreThreads on_core = state.cohorts[index].on_core;
  EngineSets& sets = state.cohorts.engine_sets();
  if (on_core.threads == 1) return use(state.resources.issue_pool_of(sets.engine_of_one(on_core.engines)), index, 1U);
  std::uint32_t left = on_core.threads;
  for (std::uint32_t pool = 0; left > 0; ++pool) {
    const auto [first, end] = state.resources.engines_of(pool);
    const std::uint32_t threads = sets.count(on_core.engines, first, end);
    if (threads == 0) continue;
    const bool is_last = threads == left;
    left -= threads;
    use(pool, is_last ? index : state.cohorts.split(index, threads, sets.take(on_core.engines, first, end)), threads);
  }
}

/// Threads share the issue slots, or a pipe, of their engine or of several fused engines.
struct IssueOperation {
  static constexpr TimeKind waiting = TimeKind::issue;
  static constexpr Executing executing = Executing::by_work;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    const ShareWeight weight = weight_of(state, state.cohorts[index], op);
    const std::int64_t work = begin_work(state, state.cohorts[index]);
    const CoreId core = state.cohorts[index].on_core.core;
    use_by_issue_pool(state, index, [&](std::uint32_t pool, CohortIndex cohort, std::uint32_t threads) {
      state.resources.use_pipe(state.now(), op.pipe, core, pool, cohort, threads, work, weight);
    });
    return Progress::stays;
  }
};

/// Holds its amount for the next op `issue_parts`. Threads continue at once.
struct PartOperation {
  static constexpr TimeKind waiting = TimeKind::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op&) {
    ++state.cohorts[index].at;
    return Progress::continues;
  }
};

/// Threads use several pipes at the same time, among them issue slots and the core's L1, until all have served them:
/// the pipe of this op, and those of its parts, which are the ops before it.
struct IssuePartsOperation {
  static constexpr TimeKind waiting = TimeKind::issue;  ///< or `slm`, see end_work()
  static constexpr Executing executing = Executing::by_works;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    const ShareWeight weight = weight_of(state, state.cohorts[index], op);
    const CoreId core = state.cohorts[index].on_core.core;
    begin_step(state, state.cohorts[index]);
    state.cohorts[index].step_progress = 0;
    use_by_issue_pool(state, index, [&](std::uint32_t pool, CohortIndex part, std::uint32_t threads) {
      const ProgramPlan& plan = state.programs.plan_of(state.residents[state.cohorts[part].group]);
      visit_works(op, state.cohorts[part], [&](std::uint32_t work) {
        state.resources.use_pipe(state.now(), plan.op(work).pipe, core, pool, part, threads,
                                 amount_of(state, state.cohorts[part], work), weight);
      });
    });
    return Progress::stays;
  }
};

}  // namespace gdsim
