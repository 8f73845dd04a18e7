#include <gdsim/run/ensemble/common_critical_path.hpp>

#include <gdsim/run/critical_path.hpp>
#include <gdsim/run/ensemble/common_graph.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Describes the launches of this device's workload: the device of each, and those that end together.
LaunchesOfDevices launches_of(std::span<const CompiledParts* const> devices, std::size_t device,
                              const LaunchOwners& owners, std::span<const Collective> collectives) {
  LaunchesOfDevices all;
  all.device_of.resize(devices[device]->workload->launches.size(), &devices[device]->device);
  for (std::size_t i = 0; i < owners.count(); ++i)
    all.device_of[i] = &devices[owners.owner_of(static_cast<LaunchId>(i))]->device;
  for (const Collective& one : collectives) all.together.push_back(one.launches);
  return all;
}

/// Returns the record of a device, with the launches of other devices added at the times that they had there.
RunRecord with_all_launches(const RunResult& own, std::size_t device, const LaunchOwners& owners,
                            const std::vector<RunResult>& results) {
  RunRecord record;
  record.launches = own.record.launches;
  record.batched = own.record.batched;
  record.triggered = own.record.triggered;
  for (std::size_t i = 0; i < owners.count(); ++i) {
    const std::uint32_t owner = owners.owner_of(static_cast<LaunchId>(i));
    if (owner != device) record.launches[i] = results[owner].record.launches[i];
  }
  for (const RunResult& one : results) record.end = std::max(record.end, one.record.end);
  return record;
}

/// Returns true if a launch waits for a trigger: queues may allow it although no launch does.
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
    RunRecord all = with_all_launches(results[device], device, owners, results);
    find_critical_path(parts.device, *parts.workload, common_graph(devices, device, owners), all,
                       launches_of(devices, device, owners, collectives));
    RunRecord& own = results[device].record;
    own.critical_path = std::move(all.critical_path);
    for (std::size_t i = 0; i < own.launches.size(); ++i)
      if (!parts.workload->launches[i].is_remote()) own.launches[i].slack = all.launches[i].slack;
  }
}

}  // namespace gdsim
