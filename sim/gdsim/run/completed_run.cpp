#include <gdsim/run/completed_run.hpp>

namespace gdsim {
namespace {

/// By launch: its host; empty if there is only one. Each process that is preempted has a host.
std::span<const std::uint32_t> hosts_of(const RunRecord& record) {
  if (!record.preemption) return {};
  return record.preemption->process_of;
}

}  // namespace

CompletedRun::CompletedRun(const DeviceSpec& device, const Workload& workload, const LaunchGraph& launch_graph,
                           const RunRecord& run_record, const LaunchesOfDevices& devices)
    : graph(launch_graph),
      record(run_record),
      joint(run_record, devices.together),
      device_(device),
      workload_(workload),
      devices_(devices),
      hosts_(hosts_of(run_record)),
      submitted_before_(predecessors_on_host()),
      host_costs_(device, workload, launch_graph, hosts_) {}

std::vector<std::optional<LaunchId>> CompletedRun::predecessors_on_host() const {
  std::vector<std::optional<LaunchId>> before(launch_count());
  std::optional<LaunchId> last;
  for (const LaunchId id : graph.host_order) {
    if (last && are_of_one_host(*last, id)) before[index_of(id)] = last;
    last = id;
  }
  return before;
}

}  // namespace gdsim
