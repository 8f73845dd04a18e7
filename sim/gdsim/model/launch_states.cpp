#include <gdsim/model/launch_states.hpp>

#include <gdsim/workload/child_launches.hpp>

namespace gdsim {

LaunchStates::LaunchStates(const Workload& workload)
    : workload_(workload),
      records_(workload.launches.size()),
      resident_(workload.launches.size()),
      busy_cores_(workload.launches.size()),
      on_core_(workload.launches.size()),
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

void LaunchStates::change_resident(LaunchId launch, CoreId core, std::int64_t threads, Picoseconds now) {
  TimeIntegral& resident = resident_[index_of(launch)];
  resident.set_level(resident.level() + static_cast<std::uint64_t>(threads), now);
  auto& on_core = on_core_[index_of(launch)];
  if (on_core.size() <= index_of(core)) on_core.resize(index_of(core) + 1, 0);
  std::uint32_t& here = on_core[index_of(core)];
  const bool was_busy = here > 0;
  here += static_cast<std::uint32_t>(threads);
  if (was_busy == (here > 0)) return;
  TimeIntegral& cores = busy_cores_[index_of(launch)];
  cores.set_level(was_busy ? cores.level() - 1 : cores.level() + 1, now);
}

void LaunchStates::end(LaunchId launch, Picoseconds now) {
  record(launch).ended = now;
  --left_;
  ++changes_;
  if (workload_.launches[index_of(launch)].is_copy()) return;
  std::vector<std::uint32_t>().swap(on_core_[index_of(launch)]);
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
    visitor.integral(busy_cores_[index_of(launch)]);
  }
}

}  // namespace gdsim
