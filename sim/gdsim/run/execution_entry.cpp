#include <gdsim/run/execution.hpp>

#include <algorithm>

// Which of the threads that were placed together travel together.

namespace gdsim {

/// Threads from `first_thread` on have been placed.
void Execution::enter_program(GroupIndex index, const Part& part, std::uint32_t first_thread) {
  const ActiveGroup& group = groups_[index];
  Cohort cohort;
  cohort.group = index;
  cohort.part = part;
  cohort.first_thread = first_thread;
  cohort.factor = group.factor;
  if (plan_of(group).roles().size() == 1 && !draws_by_thread(group)) {
    enter(cohort);
  } else {
    enter_apart(cohort, first_thread);
  }
}

/// Threads from `first_thread` on enter their programs: one by one if each draws for itself, else those together that
/// take the same way.
void Execution::enter_apart(Cohort cohort, std::uint32_t first_thread) {
  const ActiveGroup& group = groups_[cohort.group];
  const ProgramPlan& plan = plan_of(group);
  const auto& draw = draws_[index_of(group.kernel)];
  const bool one_by_one = draws_by_thread(group);
  const auto roles = plan.roles();
  const std::uint32_t end = first_thread + cohort.part.threads;
  for (std::size_t role = 0; role < roles.size() && first_thread < end; ++role) {
    const std::uint32_t role_end = role + 1 < roles.size() ? std::min(roles[role + 1].first_thread, end) : end;
    while (first_thread < role_end) {
      Cohort some = cohort;
      some.part.threads = one_by_one ? 1 : role_end - first_thread;
      some.first_thread = first_thread;
      some.at = roles[role].first_op;
      if (one_by_one) some.factor = draw->factor({group.launch, group.number, first_thread});
      if (some.part.threads < cohort.part.threads) {
        some.part.engines = engine_sets_.deal(cohort.part.engines, some.part.threads);
        cohort.part.threads -= some.part.threads;
      }
      first_thread += some.part.threads;
      enter(some);
    }
  }
}

}  // namespace gdsim
