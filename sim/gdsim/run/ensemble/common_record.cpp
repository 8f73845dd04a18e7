#include <gdsim/run/ensemble/ensemble.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/run/critical_path.hpp>
#include <gdsim/workload/launch_order.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

std::size_t host_launches(const Workload& workload) {
  const auto is_of_host = [](const Launch& launch) { return launch.parent() == nullptr; };
  return static_cast<std::size_t>(std::count_if(workload.launches.begin(), workload.launches.end(), is_of_host));
}

/// Returns, by launch of the host, true if the host waits for this launch before it submits another.
std::vector<bool> awaited_by_host(const Workload& workload, std::size_t count) {
  std::vector<bool> is_awaited(count, false);
  for (const Launch& launch : workload.launches)
    for (const LaunchId before : launch.host_waits) is_awaited[index_of(before)] = true;
  return is_awaited;
}

}  // namespace

LaunchOwners::LaunchOwners(std::span<const CompiledParts* const> devices) {
  const std::size_t count = devices.empty() ? 0 : host_launches(*devices.front()->workload);
  constexpr std::uint32_t none = 0xFFFF'FFFF;
  owners_.resize(count, none);
  waiting_.resize(count);
  for (std::uint32_t device = 0; device < devices.size(); ++device) {
    const Workload& workload = *devices[device]->workload;
    GDSIM_CHECK(host_launches(workload) == count, "devices of one run have different numbers of launches");
    for (std::size_t i = 0; i < count; ++i) {
      if (workload.launches[i].is_remote()) continue;
      GDSIM_CHECK(owners_[i] == none, "a launch is of two devices");
      owners_[i] = device;
    }
  }
  GDSIM_CHECK(std::find(owners_.begin(), owners_.end(), none) == owners_.end(), "a launch is of no device");
  for (std::uint32_t device = 0; device < devices.size(); ++device) {
    const CompiledParts& parts = *devices[device];
    const std::vector<bool> is_awaited = awaited_by_host(*parts.workload, count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto successors = parts.graph.successors[i];
      const bool is_waited_for = std::any_of(successors.begin(), successors.end(), [&](LaunchId next) {
        return !parts.workload->launches[index_of(next)].is_remote();
      });
      if (owners_[i] != device && (is_awaited[i] || is_waited_for)) waiting_[i].push_back(device);
    }
  }
}

namespace {

/// Returns the graph of the device that owns the launch. Children of launches are known to `device` alone.
const LaunchGraph& graph_of(std::span<const CompiledParts* const> devices, std::size_t device,
                            const LaunchOwners& owners, std::size_t launch) {
  return devices[launch < owners.count() ? owners.owner_of(static_cast<LaunchId>(launch)) : device]->graph;
}

}  // namespace

LaunchGraph common_graph(std::span<const CompiledParts* const> devices, std::size_t device,
                         const LaunchOwners& owners) {
  const Workload& workload = *devices[device]->workload;
  const std::size_t launches = workload.launches.size();
  LaunchGraph common = devices[device]->graph;
  common.trigger_waiters = {};
  common.predecessors = {};
  common.starts = {};
  for (std::size_t i = 0; i < launches; ++i) {
    const LaunchGraph& owner_graph = graph_of(devices, device, owners, i);
    common.predecessors.add(owner_graph.predecessors[i]);
    const auto before = owner_graph.starts.before_of(static_cast<LaunchId>(i));
    if (!before) continue;
    common.starts.before.resize(launches);
    common.starts.next.resize(launches);
    common.starts.before[i] = before;
    common.starts.next[index_of(*before)] = static_cast<LaunchId>(i);
  }
  common.successors = FlatLists<LaunchId>::collect(launches, [&](const auto& add) {
    for (std::size_t i = 0; i < launches; ++i)
      for (const Dependency& dependency : common.predecessors[i])
        add(index_of(dependency.before), static_cast<LaunchId>(i));
  });
  auto order = order_milestones(workload, common);
  GDSIM_CHECK(order.has_value(), "launches of several devices wait for each other although all have ended");
  common.order = std::move(*order);
  return common;
}

namespace {

/// Describes the launches of this device's workload: the device of each, and those that end together.
LaunchesOfDevices launches_of(std::span<const CompiledParts* const> devices, std::size_t device,
                              const LaunchOwners& owners, std::span<const Collective> collectives) {
  LaunchesOfDevices launches;
  launches.device_of.resize(devices[device]->workload->launches.size(), &devices[device]->device);
  for (std::size_t i = 0; i < owners.count(); ++i)
    launches.device_of[i] = &devices[owners.owner_of(static_cast<LaunchId>(i))]->device;
  for (const Collective& collective : collectives) launches.together.push_back(collective.launches);
  return launches;
}

/// Returns the record of a device, with the launches of other devices added at the times that they had there.
RunRecord with_all_launches(const RunResult& device_result, std::size_t device, const LaunchOwners& owners,
                            const std::vector<RunResult>& results) {
  RunRecord record;
  record.launches = device_result.record.launches;
  record.batched = device_result.record.batched;
  record.triggered = device_result.record.triggered;
  for (std::size_t i = 0; i < owners.count(); ++i) {
    const std::uint32_t owner = owners.owner_of(static_cast<LaunchId>(i));
    if (owner != device) record.launches[i] = results[owner].record.launches[i];
  }
  for (const RunResult& result : results) record.end = std::max(record.end, result.record.end);
  return record;
}

/// Returns true if a launch waits for a trigger. Queues may allow waits for triggers where no launch has any.
bool has_waits_for_triggers(const CompiledParts& device) {
  for (std::size_t i = 0; i < device.workload->launches.size(); ++i)
    if (device.graph.has_trigger_waiters(static_cast<LaunchId>(i))) return true;
  return false;
}

}  // namespace

void find_common_critical_path(std::span<const CompiledParts* const> devices, const LaunchOwners& owners,
                               std::span<const Collective> collectives, std::vector<RunResult>& results) {
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (results[i].record.outcome != Outcome::completed || has_waits_for_triggers(*devices[i])) return;
  for (std::size_t device = 0; device < devices.size(); ++device) {
    const CompiledParts& parts = *devices[device];
    RunRecord record = with_all_launches(results[device], device, owners, results);
    find_critical_path(parts.device, *parts.workload, common_graph(devices, device, owners), record,
                       launches_of(devices, device, owners, collectives));
    RunRecord& device_record = results[device].record;
    device_record.critical_path = std::move(record.critical_path);
    for (std::size_t i = 0; i < device_record.launches.size(); ++i)
      if (!parts.workload->launches[i].is_remote()) device_record.launches[i].slack = record.launches[i].slack;
  }
}

Outcome common_outcome(const std::vector<RunResult>& devices) {
  const auto failed = std::find_if(devices.begin(), devices.end(),
                                   [](const RunResult& result) { return result.record.outcome != Outcome::completed; });
  return failed == devices.end() ? Outcome::completed : failed->record.outcome;
}

RunRecord common_record(const std::vector<RunResult>& devices, const LaunchOwners& owners,
                        std::uint64_t peak_resident) {
  const RunRecord& first = devices.front().record;
  RunRecord common;
  common.outcome = common_outcome(devices);
  for (const RunResult& device_result : devices) common.end = std::max(common.end, device_result.record.end);
  common.begin = common.first_dispatch = common.end;
  common.contexts_per_core = first.contexts_per_core;
  for (const RunResult& device_result : devices) {
    const RunRecord& record = device_result.record;
    common.contexts_total += record.contexts_total;
    common.threads_total += record.threads_total;
    common.work_groups_total += record.work_groups_total;
    common.resident_time += record.resident_time;
    common.core_time += record.core_time;
    if (record.contexts_per_core != first.contexts_per_core) common.contexts_per_core = 0;  // they differ
  }
  common.peak_resident = peak_resident;
  for (std::size_t i = 0; i < owners.count(); ++i)
    common.launches.push_back(devices[owners.owner_of(static_cast<LaunchId>(i))].record.launches[i]);
  // The records of devices have no beginning where no launch has begun: the launches say when the run begins.
  for (const LaunchRecord& launch : common.launches) {
    common.first_dispatch = std::min(common.first_dispatch, launch.first_dispatched.value_or(common.end));
    common.begin = std::min({common.begin, common.first_dispatch, launch.begun.value_or(common.end)});
  }
  common.critical_path = first.critical_path;
  return common;
}

}  // namespace gdsim
