#include <gdsim/model/lifecycle/launch_states.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/host/host_costs.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>

namespace gdsim {

LaunchStates::LaunchStates(const Workload& workload, std::size_t foreign_launches)
    : workload_(workload),
      records_(workload.launches.size()),
      completions_(workload.launches.size(), 0),
      residency_(workload.launches.size(), kNone),
      position_in_present_(workload.launches.size()),
      left_(static_cast<std::size_t>(std::count_if(workload.launches.begin(), workload.launches.end(),
                                                   [](const Launch& launch) { return !launch.is_remote(); })) -
            foreign_launches) {
  for (const Kernel& kernel : workload.kernels) needed_.push_back(kernel.range.group_count() + child_count(kernel));
}

std::uint64_t LaunchStates::needed_completions(LaunchId id) const {
  const Launch& launch = workload_.launches[index_of(id)];
  return launch.is_kernel() ? needed_[index_of(launch.as_kernel().kernel)] : 1;
}

void LaunchStates::arrive(LaunchId launch) {
  if (!workload_.launches[index_of(launch)].is_kernel()) return;
  position_in_present_[index_of(launch)] = static_cast<std::uint32_t>(present_.size());
  present_.push_back(launch);
}

void LaunchStates::change_resident(LaunchId launch, CoreId core, std::int64_t threads, SimTime now) {
  ResidencyIndex& index = residency_[index_of(launch)];
  if (index == kNone) index = residencies_.add({});
  Residency& residency = residencies_[index];
  residency.resident.set_level(residency.resident.level() + static_cast<std::uint64_t>(threads), now);
  if (residency.on_core.size() <= index_of(core)) residency.on_core.resize(index_of(core) + 1, 0);
  std::uint32_t& resident = residency.on_core[index_of(core)];
  const bool was_busy = resident > 0;
  resident += static_cast<std::uint32_t>(threads);
  if (was_busy == (resident > 0)) return;
  TimeIntegral& cores = residency.busy_cores;
  cores.set_level(was_busy ? cores.level() - 1 : cores.level() + 1, now);
}

void LaunchStates::on_thread_ended(LaunchId launch, CoreId core) {
  Residency& residency = *residency_of(launch);
  if (residency.ended_on.size() <= index_of(core)) residency.ended_on.resize(index_of(core) + 1, false);
  residency.ended_on[index_of(core)] = true;
}

void LaunchStates::end(LaunchId launch, SimTime now) {
  record(launch).ended = host_time(now);
  if (workload_.launches[index_of(launch)].is_remote()) return;
  --left_;
  if (!workload_.launches[index_of(launch)].is_kernel()) return;
  settle(launch, now);
  if (residency_[index_of(launch)] != kNone) residencies_.remove(residency_[index_of(launch)]);
  residency_[index_of(launch)] = kNone;
  const std::uint32_t position = position_in_present_[index_of(launch)];
  present_[position] = present_.back();
  position_in_present_[index_of(present_[position])] = position;
  present_.pop_back();
}

void LaunchStates::on_all_placed(LaunchId launch, SimTime now) {
  record(launch).fully_dispatched = host_time(now);
  if (const Residency* residency = residency_of(launch))
    record(launch).resident_time_when_dispatched = residency->resident.sum_at(now);
}

void LaunchStates::settle(LaunchId launch, SimTime now) {
  const Residency* residency = residency_of(launch);
  if (residency == nullptr) return;
  record(launch).resident_time = residency->resident.sum_at(now);
  record(launch).core_time = residency->busy_cores.sum_at(now);
}

void LaunchStates::settle(SimTime now) {
  for (const LaunchId launch : present_) settle(launch, now);
}

CopyEngines::CopyEngines(const std::optional<CopyRule>& rule, const std::vector<Launch>& launches,
                         ModelEventQueue& queue)
    : rule_(rule), launches_(launches), queue_(queue) {
  const std::uint32_t engines = rule ? rule->engines : 0;
  if (engines == 1) free_ = {1};
  if (engines > 1) free_ = {engines - engines / 2, engines / 2};
  waiting_.resize(free_.size());
}

std::size_t CopyEngines::lane_of(LaunchId launch) const {
  if (free_.size() < 2) return 0;
  return launches_[index_of(launch)].as_copy().direction == CopyDirection::host_to_device ? 0 : 1;
}

void CopyEngines::begin_waiting() {
  for (std::size_t lane = 0; lane < free_.size(); ++lane)
    while (free_[lane] > 0 && !waiting_[lane].empty()) {
      const LaunchId launch = waiting_[lane].begin()->second;
      waiting_[lane].erase(waiting_[lane].begin());
      --waiting_count_;
      --free_[lane];
      const auto duration = duration_of(launches_[index_of(launch)].as_copy(), *rule_);
      GDSIM_CHECK(duration.has_value(), "a copy without a usable duration passed the checks of compile()");
      queue_.schedule(queue_.now() + *duration, Event::launch_ends(launch));
      begun_.push_back(launch);
    }
}

}  // namespace gdsim
