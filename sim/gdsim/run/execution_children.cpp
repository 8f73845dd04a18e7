#include <gdsim/run/execution.hpp>

#include <gdsim/workload/child_launches.hpp>

namespace gdsim {

/// The first threads of a work-group that come here launch the child.
void Execution::come_to_child(Cohort& cohort, const Op& op) {
  Meeting& meeting = meetings_.of(cohort.group, op.meeting);
  if (meeting.complete++ > 0) return;
  const ActiveGroup& group = groups_[cohort.group];
  children_.launch(child_of(workload_, group.launch, group.number, op.child), cohort.group);
}

void Execution::child_ended(LaunchId child) {
  const auto parent = children_.waiting_parent(child);
  if (!parent) return;
  const std::uint32_t meeting =
      plan_of(groups_[*parent]).meeting_of_child(workload_.launches[index_of(child)].parent()->child);
  queue_.schedule(queue_.now(), Event::barrier_opens(*parent, meeting));
}

}  // namespace gdsim
