#include <gdsim/model/launch_states.hpp>

#include <gdsim/workload/child_launches.hpp>

namespace gdsim {

LaunchStates::LaunchStates(const Workload& workload)
    : workload_(workload),
      records_(workload.launches.size()),
      resident_(workload.launches.size()),
      parts_ended_(workload.launches.size(), 0),
      places_in_present_(workload.launches.size()),
      left_(workload.launches.size()) {
  for (const Launch& launch : workload.launches) {
    const Kernel& kernel = workload.kernel_of(launch);
    parts_.push_back(launch.is_copy() ? 1 : kernel.range.group_count() + child_count(kernel));
  }
}

void LaunchStates::arrive(LaunchId launch) {
  ++changes_;
  if (workload_.launches[index_of(launch)].is_copy()) return;
  places_in_present_[index_of(launch)] = present_.size();
  present_.push_back(launch);
}

void LaunchStates::end(LaunchId launch, Picoseconds now) {
  record(launch).ended = now;
  --left_;
  ++changes_;
  if (workload_.launches[index_of(launch)].is_copy()) return;
  const std::size_t place = places_in_present_[index_of(launch)];
  present_[place] = present_.back();
  places_in_present_[index_of(present_[place])] = place;
  present_.pop_back();
}

void LaunchStates::visit_state(StateVisitor& visitor) {
  visitor.shape(present_.size());
  for (const LaunchId launch : present_) {
    visitor.shape(launch);
    visitor.shape(record(launch).first_dispatched.has_value());
    visitor.ordinal(launch, parts_ended_[index_of(launch)]);
    visitor.integral(resident_[index_of(launch)]);
  }
}

}  // namespace gdsim
