#include <gdsim/model/model_state.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/model/lifecycle/residents.hpp>
#include <gdsim/program/work_amounts.hpp>

#include <algorithm>
#include <tuple>

namespace gdsim {

GroupIndex Residents::open(const Grant& grant, KernelId kernel, Bytes slm) {
  ResidentGroup opened;
  opened.launch = grant.launch;
  opened.kernel = kernel;
  opened.number = grant.work_group;
  opened.core = grant.core;
  opened.threads = grant.group_threads;
  opened.first_context = grant.first_context;
  opened.slm = slm;
  const GroupIndex index = groups_.add(opened);
  filling_[index_of(grant.core)] = index;
  return index;
}

void Residents::add_core(const Grant& grant) {
  const GroupIndex group = filling(grant.first_core);
  const auto index = static_cast<std::size_t>(group);
  if (more_cores_.size() <= index) more_cores_.resize(index + 1);
  more_cores_[index].push_back(grant.core);
  filling_[index_of(grant.core)] = group;
}

void Residents::close(GroupIndex index) {
  groups_[index].threads = 0;
  if (const auto i = static_cast<std::size_t>(index); i < more_cores_.size()) more_cores_[i].clear();
  groups_.remove(index);
}

std::span<const CoreId> Residents::more_cores(GroupIndex group) const {
  const auto index = static_cast<std::size_t>(group);
  return index < more_cores_.size() ? std::span<const CoreId>(more_cores_[index]) : std::span<const CoreId>();
}

std::vector<GroupIndex> Residents::in_order() const {
  std::vector<GroupIndex> resident;
  std::uint32_t index = 0;
  for (const ResidentGroup& group : groups_) {
    if (group.threads > 0) resident.push_back(GroupIndex{index});
    ++index;
  }
  std::sort(resident.begin(), resident.end(), [this](GroupIndex a, GroupIndex b) {
    return std::tie(groups_[a].launch, groups_[a].number) < std::tie(groups_[b].launch, groups_[b].number);
  });
  return resident;
}

namespace {

/// Engines are distinguished if a thread of some kernel needs more than one context of its engine, or its issue slots.
EngineDetail engine_detail(const ModelInput& input) {
  const auto& kernels = input.workload.kernels;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (input.footprints.full(static_cast<KernelId>(i)).thread != EngineNeed{} ||
        has_step<IssueSlots>(kernels[i].program))
      return EngineDetail::each;
  return EngineDetail::none;
}

/// Returns the recovery times by clock, of work-groups that drain their stores for `drain`.
std::vector<Duration> recovery_times(const ClockSchedule& clocks, const DispatchRules& rules, const StepTime& drain) {
  std::vector<Duration> times(clocks.count());
  for (std::size_t i = 0; i < times.size(); ++i)
    for (const StepTime& part : {rules.recovery.value_or(StepTime{}), drain}) {
      const auto time = resolve(part, clocks.clock(i), Decimal::whole(1));
      GDSIM_CHECK(time.has_value(), "an invalid recovery passed the checks of the device");
      times[i] = times[i] + *time;
    }
  return times;
}

/// Returns the times for which a `fence` waits for stores that have ended, by clock.
std::vector<Duration> acknowledgement_times(const ClockSchedule& clocks, const DeviceSpec& device) {
  std::vector<Duration> times(clocks.count());
  if (const auto latency = fence_latency(device))
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto time = resolve(*latency, clocks.clock(i), Decimal::whole(1));
      GDSIM_CHECK(time.has_value(), "an invalid latency passed the checks of the device");
      times[i] = *time;
    }
  return times;
}

StepTime store_drain(const DeviceSpec& device) { return device.memory ? device.memory->store_drain : StepTime{}; }

}  // namespace

ModelState::ModelState(const ModelInput& input)
    : StepState(input),
      launches(input.workload, input.foreign_launches),
      arrivals(input.device, input.workload, input.graph, input.host_has_own_time ? host_events : events,
               launches.records()),
      copies(input.device.copy, input.workload.launches, input.host_has_own_time ? host_events : events),
      bank{std::vector<Core>(input.device.cores, Core(input.device, engine_detail(input))), engine_sets},
      dispatching({input.device, input.rules, input.workload, input.footprints, input.make_placement}, bank,
                  launches.records(), input.keep_accounts),
      recoveries(clocks, recovery_times(clocks, input.rules, {})),
      recoveries_with_stores(clocks, recovery_times(clocks, input.rules, store_drain(input.device))),
      acknowledgement(acknowledgement_times(clocks, input.device)),
      faults(input.faults) {
  dispatching.accounts().log_waits_to(waits);
}

}  // namespace gdsim
