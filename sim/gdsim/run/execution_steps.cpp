#include <gdsim/run/execution.hpp>

#include <algorithm>

// Threads whose steps end together go on together: those that issue slots had parted are one cohort again.

namespace gdsim {

void Execution::end_steps(std::span<const Event> events) {
  going_together_.clear();
  for (const Event& event : events) {
    Cohort cohort = cohorts_[event.cohort()];
    const Op& op = plan_of(groups_[cohort.group]).op(cohort.at);
    if (op.kind != OpKind::loop_end) account_work(cohort, (queue_.now() - cohort.since).count);
    remove_cohort(event.cohort());
    if (op.kind == OpKind::loop_end) {
      end_rounds(cohort, event.cohort(), op);
      continue;
    }
    ++cohort.at;
    cohort.phase = 0;
    join(cohort);
  }
  for (Cohort& cohort : going_together_) enter(cohort);
}

/// Adds the cohort to the last of its work-group that goes on now, if nothing tells them apart.
void Execution::join(const Cohort& cohort) {
  const auto group = static_cast<std::size_t>(cohort.group);
  if (last_of_group_.size() <= group) last_of_group_.resize(group + 1, 0);
  const std::size_t last = last_of_group_[group];
  if (last < going_together_.size() && going_together_[last].group == cohort.group &&
      going_together_[last].is_alike(cohort)) {
    merge(going_together_[last], cohort);
  } else {
    last_of_group_[group] = going_together_.size();
    going_together_.push_back(cohort);
  }
}

/// From here on they travel together.
void Execution::merge(Cohort& cohort, const Cohort& other) {
  cohort.first_thread = std::min(cohort.first_thread, other.first_thread);
  cohort.part.threads += other.part.threads;
  cohort.part.engines = engine_sets_.merge(cohort.part.engines, other.part.engines);
}

}  // namespace gdsim
