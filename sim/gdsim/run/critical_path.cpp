#include <gdsim/run/critical_path.hpp>

#include <gdsim/run/backward_path.hpp>
#include <gdsim/run/latest_times.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace gdsim {

void find_critical_path(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph, RunRecord& record,
                        const LaunchesOfDevices& devices) {
  const CompletedRun run(device, workload, graph, record, devices);
  const LatestTimes latest(run);
  std::optional<LaunchId> last;
  for (std::size_t i = 0; i < record.launches.size(); ++i) {
    const auto id = static_cast<LaunchId>(i);
    record.launches[i].slack = latest.slack_of(id);
    const bool is_child = run.launch_at(id).parent() != nullptr;
    if (!is_child && record.launches[i].is_critical() && !last && *record.launches[i].ended == record.end) last = id;
  }
  const BackwardPath backward_path(run);
  for (; last; last = backward_path.from(*last)) record.critical_path.push_back(*last);
  std::reverse(record.critical_path.begin(), record.critical_path.end());
}

}  // namespace gdsim
