#pragma once

#include <gdsim/model/operation.hpp>

namespace gdsim {

/// Threads share the issue slots of their engine, or of engines that are fused: on each, those of the cohort that are
/// there become a cohort of their own.
struct IssueOperation {
  static constexpr TimeKind waiting = TimeKind::issue;
  static constexpr Executing executing = Executing::by_work;

  static Progress enter(ModelState& state, Cohort& cohort, const Op&) {
    const std::int64_t work = amount_of(state, cohort);
    EngineSets& sets = state.cohorts.engine_sets();
    for (std::uint32_t pool = 0; pool < state.resources.issue_pools(); ++pool) {
      const auto [first, end] = state.resources.engines_of(pool);
      Cohort some = cohort;
      some.part.engines = sets.take(cohort.part.engines, first, end);
      if (some.part.engines == EngineSet::none) continue;
      some.part.threads = sets.count(some.part.engines);
      const CohortIndex index = begin_step(state, some);
      state.resources.use_issue(state.now(), some.part.core, pool, index, some.part.threads, work);
    }
    sets.remove(cohort.part.engines);
    return Progress::stays;
  }
};

}  // namespace gdsim
