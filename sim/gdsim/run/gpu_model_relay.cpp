#include <gdsim/run/gpu_model.hpp>

// A work-group that ends while nothing else happens hands its place to the next: what it gives back is taken at the
// same instant, on the same core, so that no account of either changes.

namespace gdsim {

/// Engines keep an order of who came; give-backs that are counted one by one must come one by one; so must turns while
/// a period is looked for.
bool GpuModel::may_relay(const Cohort& cohort) const {
  if (!relays_ || periods_.is_looking() || !queue_.instant_is_over()) return false;
  const ActiveGroup& group = execution_.group(cohort.group);
  return cohort.part.threads == group.threads && dispatcher_.can_relay(group.launch, group.threads, cohort.part.core);
}

/// The end of the cohort's work-group, and the turn that follows.
void GpuModel::relay(CohortIndex index) {
  const Cohort& cohort = execution_.cohort(index);
  const LaunchId launch = execution_.group(cohort.group).launch;
  --parts_left_[index_of(launch)];
  turn_was_taken_ = true;
  ++events_;
  note_relay(launch);
  execution_.relay(index, dispatcher_.relay(launch, cohort.part.core, queue_.now()));
}

}  // namespace gdsim
