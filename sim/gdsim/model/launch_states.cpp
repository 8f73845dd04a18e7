#include <gdsim/model/launch_states.hpp>

#include <gdsim/workload/child_launches.hpp>

#include <utility>

namespace gdsim {

LaunchStates::LaunchStates(const Workload& workload)
    : workload_(workload),
      records_(workload.launches.size()),
      parts_ended_(workload.launches.size(), 0),
      places_(workload.launches.size()),
      left_(workload.launches.size()) {
  for (const Kernel& kernel : workload.kernels) parts_.push_back(kernel.range.group_count() + child_count(kernel));
}

std::uint64_t LaunchStates::parts_of(LaunchId launch) const {
  const Launch& what = workload_.launches[index_of(launch)];
  return what.is_copy() ? 1 : parts_[index_of(what.as_kernel().kernel)];
}

void LaunchStates::arrive(LaunchId launch) {
  ++changes_;
  if (workload_.launches[index_of(launch)].is_copy()) return;
  places_[index_of(launch)] = static_cast<std::uint32_t>(present_.size());
  present_.push_back(launch);
  stays_.emplace_back();
}

void LaunchStates::change_resident(LaunchId launch, CoreId core, std::int64_t threads, Picoseconds now) {
  Stay& stay = stay_of(launch);
  stay.resident.set_level(stay.resident.level() + static_cast<std::uint64_t>(threads), now);
  if (stay.on_core.size() <= index_of(core)) stay.on_core.resize(index_of(core) + 1, 0);
  std::uint32_t& here = stay.on_core[index_of(core)];
  const bool was_busy = here > 0;
  here += static_cast<std::uint32_t>(threads);
  if (was_busy == (here > 0)) return;
  TimeIntegral& cores = stay.busy_cores;
  cores.set_level(was_busy ? cores.level() - 1 : cores.level() + 1, now);
}

void LaunchStates::end(LaunchId launch, Picoseconds now) {
  record(launch).ended = now;
  --left_;
  ++changes_;
  if (workload_.launches[index_of(launch)].is_copy()) return;
  settle(launch, now);
  const std::uint32_t place = places_[index_of(launch)];
  present_[place] = present_.back();
  std::swap(stays_[place], stays_.back());
  places_[index_of(present_[place])] = place;
  present_.pop_back();
  stays_.pop_back();
}

void LaunchStates::settle(LaunchId launch, Picoseconds now) {
  record(launch).resident_time = stay_of(launch).resident.at(now);
  record(launch).core_time = stay_of(launch).busy_cores.at(now);
}

void LaunchStates::settle(Picoseconds now) {
  for (const LaunchId launch : present_) settle(launch, now);
}

void LaunchStates::visit_state(StateVisitor& visitor) {
  visitor.shape(present_.size());
  for (const LaunchId launch : present_) {
    visitor.shape(launch);
    visitor.shape(record(launch).first_dispatched.has_value());
    visitor.counted(launch, parts_ended_[index_of(launch)]);
    Stay& stay = stays_[places_[index_of(launch)]];
    visitor.integral(stay.resident);
    visitor.integral(stay.busy_cores);
  }
}

}  // namespace gdsim
