#include <gdsim/explain/counterfactual_changes.hpp>
#include <gdsim/host/hardware_queues.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace gdsim {
namespace {

/// Returns true if the host could submit all launches of the queue as a whole: only the first may have a time or make
/// the host wait.
bool could_be_graph(const Workload& workload, QueueId queue) {
  std::uint64_t launches = 0;
  for (const Launch& launch : workload.launches) {
    if (launch.queue != queue) continue;
    if (++launches > 1 && (launch.at != SimTime{} || !launch.host_waits.empty())) return false;
  }
  return launches > 1;
}

}  // namespace

std::optional<ChangeWords> start_in_any_order(const Baseline& run, Scenario& changed) {
  const Scenario& scenario = run.scenario();
  const std::vector<std::uint32_t> numbers =
      hardware_queues_of(scenario.workload, scenario.device, scenario.dispatch).numbers;
  const bool one_waited =
      std::any_of(run.record().launches.begin(), run.record().launches.end(),
                  [](const LaunchRecord& launch) { return launch.waited[WaitReason::hardware_queue].count > 0; });
  if (!one_waited) return std::nullopt;
  changed.device.hardware_queues.reset();
  for (Queue& queue : changed.workload.queues) queue.hardware.reset();
  const std::size_t used = std::set<std::uint32_t>(numbers.begin(), numbers.end()).size();
  return ChangeWords{fmt::format("Hardware queues: {} queue{} on {} of them, which start{} one launch behind the other",
                                 numbers.size(), numbers.size() == 1 ? "" : "s", used, used == 1 ? "s" : ""),
                     "where no launch waits for the start of another"};
}

std::optional<ChangeWords> submit_as_graphs(const Baseline& run, Scenario& changed) {
  const Scenario& scenario = run.scenario();
  const bool has_cost = scenario.device.submit_overhead.count > 0 || scenario.device.graph_gap;
  std::uint64_t launches = 0;
  for (std::size_t i = 0; i < scenario.workload.queues.size(); ++i) {
    const auto queue = static_cast<QueueId>(i);
    if (!has_cost || scenario.workload.queues[i].is_graph || !could_be_graph(scenario.workload, queue)) continue;
    changed.workload.queues[i].is_graph = true;
    for (const Launch& launch : scenario.workload.launches) launches += launch.queue == queue ? 1 : 0;
  }
  if (launches == 0) return std::nullopt;
  return ChangeWords{fmt::format("Submission: the host submits {} launches one by one", launches), "as graphs"};
}

}  // namespace gdsim
