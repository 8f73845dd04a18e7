#include <gdsim/run/ensemble/common_critical_path.hpp>

#include <gdsim/run/critical_path.hpp>

#include <algorithm>

namespace gdsim {
namespace {

bool are_alike(const CompiledParts& a, const CompiledParts& b) {
  return a.device.launch_latency == b.device.launch_latency && a.device.dependency_gap == b.device.dependency_gap &&
         a.device.submission.has_value() == b.device.submission.has_value();
}

/// The record of a device in which each launch of another one has the times that it had there.
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

}  // namespace

void find_common_critical_path(std::span<const CompiledParts* const> devices, const LaunchOwners& owners,
                               std::vector<RunResult>& results) {
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (results[i].record.outcome != Outcome::completed || devices[i]->graph.trigger_waiters.size() > 0 ||
        !are_alike(*devices.front(), *devices[i]))
      return;
  for (std::size_t device = 0; device < devices.size(); ++device) {
    const CompiledParts& parts = *devices[device];
    RunRecord all = with_all_launches(results[device], device, owners, results);
    find_critical_path(parts.device, *parts.workload, parts.graph, all);
    RunRecord& own = results[device].record;
    own.critical_path = std::move(all.critical_path);
    for (std::size_t i = 0; i < own.launches.size(); ++i)
      if (!parts.workload->launches[i].is_elsewhere()) own.launches[i].slack = all.launches[i].slack;
  }
}

}  // namespace gdsim
