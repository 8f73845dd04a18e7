#include <gdsim/run/ensemble/common_graph.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/workload/milestone_order.hpp>

#include <utility>

namespace gdsim {
namespace {

/// Returns the graph of the launch's own device; only that device knows its children.
const LaunchGraph& graph_of(std::span<const CompiledParts* const> devices, std::size_t device,
                            const LaunchOwners& owners, std::size_t launch) {
  return devices[launch < owners.count() ? owners.owner_of(static_cast<LaunchId>(launch)) : device]->graph;
}

}  // namespace

LaunchGraph common_graph(std::span<const CompiledParts* const> devices, std::size_t device,
                         const LaunchOwners& owners) {
  const Workload& workload = *devices[device]->workload;
  const std::size_t launches = workload.launches.size();
  LaunchGraph all = devices[device]->graph;
  all.trigger_waiters = {};
  all.predecessors = {};
  all.starts = {};
  for (std::size_t i = 0; i < launches; ++i) {
    const LaunchGraph& own = graph_of(devices, device, owners, i);
    all.predecessors.add(own.predecessors[i]);
    const auto before = own.starts.before_of(static_cast<LaunchId>(i));
    if (!before) continue;
    all.starts.before.resize(launches);
    all.starts.next.resize(launches);
    all.starts.before[i] = before;
    all.starts.next[index_of(*before)] = static_cast<LaunchId>(i);
  }
  all.successors = FlatLists<LaunchId>::collect(launches, [&](const auto& add) {
    for (std::size_t i = 0; i < launches; ++i)
      for (const Dependency& one : all.predecessors[i]) add(index_of(one.before), static_cast<LaunchId>(i));
  });
  auto order = order_milestones(workload, all);
  GDSIM_CHECK(order.has_value(), "launches of several devices wait for each other although all have ended");
  all.order = std::move(*order);
  return all;
}

}  // namespace gdsim
