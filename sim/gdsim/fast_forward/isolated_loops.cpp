#include <gdsim/fast_forward/isolated_loops.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/fast_forward/isolated_waits.hpp>
#include <gdsim/model/execute_until_blocked.hpp>
#include <gdsim/model/steps/operation_catalog.hpp>
#include <gdsim/record/segment.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace gdsim {

bool IsolatedLoops::has_core_to_itself(GroupIndex group) const {
  return state_.residents.count_on(state_.residents[group].core) == 1 && state_.residents.more_cores(group).empty();
}

bool IsolatedLoops::on_back_edge(CohortIndex index, const Op& op) {
  Cohort& cohort = state_.cohorts[index];
  if (cohort.on_core.threads != state_.residents[cohort.group].threads) return false;
  if (state_.programs.plan_of(state_.residents[cohort.group]).has_tiles()) return false;  // phases depend on tiles
  std::uint64_t left = op.count - cohort.iterations[op.depth];
  if (left < 3) return false;
  const IsolatedPath path(state_, cohort);
  const bool needs_core = path.needs_core();
  if (needs_core && !has_core_to_itself(cohort.group)) return false;
  const auto time = path.iteration_time();
  if (!time || time->count == 0) return false;
  const std::int64_t iterations_of_time = (std::numeric_limits<std::int64_t>::max() - state_.now().count) / time->count;
  // The last iteration is simulated, because it looks ahead to the ops after the loop.
  left = std::min(left - 1, static_cast<std::uint64_t>(iterations_of_time));
  if (left < 2) return false;
  path.visit_iteration([&](std::uint32_t i, std::uint64_t times) { add_phases(cohort, i, left * times); });
  cohort.iterations[op.depth] += left;
  begin_step(state_, cohort);
  suspended_[index_of(cohort.on_core.core)].push_back({index, left, needs_core});
  state_.events.schedule(state_.now() + times(*time, left), Event::iterations_end(index));
  return true;
}

void IsolatedLoops::on_iterations_end(CohortIndex index) {
  Cohort& cohort = state_.cohorts[index];
  auto& on_core = suspended_[index_of(cohort.on_core.core)];
  const auto entry = std::find_if(on_core.begin(), on_core.end(),
                                  [&](const Suspended& suspended) { return suspended.cohort == index; });
  GDSIM_CHECK(entry != on_core.end(), "iterations ended that were not taken out");
  const IsolatedPath path(state_, cohort);
  book_iterations(path, cohort, static_cast<std::int64_t>(entry->iterations));
  add_isolated_waits(state_, path, cohort, state_.now() - cohort.since);
  on_core.erase(entry);
  cohort.at = state_.programs.plan_of(state_.residents[cohort.group]).op(cohort.at).target;
  execute_until_blocked(state_, index);
}

void IsolatedLoops::resume_all() {
  for (std::size_t core = 0; core < suspended_.size(); ++core) resume(static_cast<CoreId>(core), Which::all);
}

void IsolatedLoops::resume(CoreId core, Which which) {
  std::vector<Suspended>& on_core = suspended_[index_of(core)];
  if (on_core.empty()) return;
  const auto first = std::stable_partition(on_core.begin(), on_core.end(), [&](const Suspended& suspended) {
    return which == Which::those_that_need_the_core && !suspended.needs_core;
  });
  const std::vector<Suspended> resumed(first, on_core.end());
  on_core.erase(first, on_core.end());
  for (const Suspended& suspended : resumed) resume(suspended);
}

/// Resumes the cohort within an iteration: its op began before now.
void IsolatedLoops::resume(const Suspended& suspended) {
  const Cohort cohort = state_.cohorts[suspended.cohort];
  const ProgramPlan& plan = state_.programs.plan_of(state_.residents[cohort.group]);
  const IsolatedPath path(state_, cohort);
  const Duration iteration = *path.iteration_time();
  state_.events.cancel(cohort.since + times(iteration, suspended.iterations), Event::iterations_end(suspended.cohort));
  const Duration elapsed = state_.now() - cohort.since;
  const std::int64_t done = elapsed.count / iteration.count;
  const std::uint64_t undone = suspended.iterations - static_cast<std::uint64_t>(done);
  path.visit_iteration([&](std::uint32_t op, std::uint64_t times) { add_phases(cohort, op, -(undone * times)); });
  book_iterations(path, cohort, done);
  Cohort& resumed = state_.cohorts[suspended.cohort];
  resumed.iterations[plan.op(cohort.at).depth] -= undone;
  const Duration rest = path.go_into_iteration(resumed, Duration{elapsed.count % iteration.count},
                                               [&](std::uint32_t op, std::uint64_t times) {
                                                 add_phases(cohort, op, times);
                                                 book_op(path, cohort, op, 1, times);
                                               });
  add_isolated_waits(state_, path, cohort, elapsed - rest);
  resumed.step_progress = 0;
  enter_since(state_, suspended.cohort, state_.now() - rest);
}

/// Adds arrivals of all threads of the cohort at the op's barrier, if the op is an arrival.
void IsolatedLoops::add_phases(const Cohort& cohort, std::uint32_t at, std::uint64_t phases) {
  const Op& op = state_.programs.plan_of(state_.residents[cohort.group]).op(at);
  if (is_arrival(op.kind)) state_.barriers.of(cohort.group, op.barrier).skip_phases(phases);
}

void IsolatedLoops::book_op(const IsolatedPath& path, const Cohort& cohort, std::uint32_t at, std::int64_t iterations,
                            std::uint64_t times_in_each) {
  const std::int64_t all = path.op_time(at)->count;
  if (all == 0) return;
  const std::int64_t times = iterations * static_cast<std::int64_t>(times_in_each);
  const ResidentGroup& group = state_.residents[cohort.group];
  const TimeKind waiting = waiting_of(state_.programs.plan_of(group).op(at).kind);
  const std::int64_t executing = std::min(Programs::amount(group, cohort, at), all);
  state_.time_use.book_work(cohort.on_core.core, group.kernel, waiting, cohort.on_core.threads, times * all,
                            times * executing);
}

void IsolatedLoops::book_iterations(const IsolatedPath& path, const Cohort& cohort, std::int64_t iterations) {
  path.visit_iteration([&](std::uint32_t op, std::uint64_t times) { book_op(path, cohort, op, iterations, times); });
}

}  // namespace gdsim
