#pragma once

#include <gdsim/model/operation.hpp>

#include <numeric>

namespace gdsim {

/// Threads share the issue slots of their engine, or of engines that are fused: on each, those of the cohort that are
/// there become a cohort of their own.
struct IssueOperation {
  static constexpr TimeKind waiting = TimeKind::issue;
  static constexpr Executing executing = Executing::by_work;

  static Progress enter(ModelState& state, Cohort& cohort, const Op& op) {
    const ShareWeight weight = weight_of(state, cohort, op);
    const std::int64_t work = amount_of(state, cohort);
    EngineSets& sets = state.cohorts.engine_sets();
    for (std::uint32_t pool = 0; pool < state.resources.issue_pools(); ++pool) {
      const auto [first, end] = state.resources.engines_of(pool);
      const std::uint32_t threads = sets.count(cohort.part.engines, first, end);
      if (threads == 0) continue;
      const bool are_all = threads == cohort.part.threads;
      Cohort some = cohort;
      some.part.threads = threads;
      if (!are_all) some.part.engines = sets.take(cohort.part.engines, first, end);
      const CohortIndex index = begin_step(state, some);
      state.resources.use_issue(state.step_begin(), some.part.core, pool, index, threads, work, weight);
      if (are_all) return Progress::stays;
    }
    sets.remove(cohort.part.engines);
    return Progress::stays;
  }

  static constexpr bool shares_core = true;
  /// If all engines with threads of it are done at the same time.
  static std::optional<Duration> isolated_time(const ModelState& state, const Cohort& cohort) {
    const auto by_engine = state.bank.engine_sets.threads(cohort.part.engines);
    std::optional<Duration> time;
    for (std::uint32_t pool = 0; pool < state.resources.issue_pools(); ++pool) {
      const auto [first, end] = state.resources.engines_of(pool);
      const std::uint32_t threads = std::accumulate(by_engine.begin() + first, by_engine.begin() + end, 0U);
      if (threads == 0) continue;
      const auto own = SharedResources::isolated_time(end - first, threads, amount_of(state, cohort));
      if (time && own != *time) return std::nullopt;
      time = own;
    }
    return time;
  }
};

}  // namespace gdsim
