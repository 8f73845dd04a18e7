#include "support/builders.hpp"
#include <gdsim/host/host_costs.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Launches in these queues, or in none.
Workload in_queues(const std::vector<std::optional<std::uint32_t>>& queues) {
  Workload workload = workload_of({kernel_of(1, 1, {compute(ps(10))})});
  workload.queues = {
      {"a", QueueOrder::in_order, {}}, {"idle", QueueOrder::in_order, {}}, {"b", QueueOrder::in_order, {}}};
  workload.launches.resize(queues.size(), workload.launches[0]);
  for (std::size_t i = 0; i < queues.size(); ++i)
    if (queues[i]) workload.launches[i].queue = QueueId{*queues[i]};
  return workload;
}

DispatchRules with_choice(KernelChoice choice) {
  DispatchRules rules;
  rules.kernel_choice = choice;
  return rules;
}

}  // namespace

TEST_CASE("each queue with a launch is a process, and launches in no queue are the last") {
  const ProcessAssignment found =
      assign_processes(in_queues({std::nullopt, 2, 0, 2}), with_choice(KernelChoice::time_sliced));
  CHECK(found.names == std::vector<std::string>{"a", "b", "no queue"});
  CHECK(found.of_launches == std::vector<std::uint32_t>{2, 1, 0, 1});
}

TEST_CASE("by priority, the launches of the highest are the first process") {
  Workload workload = in_queues({0, 2, 0});
  workload.queues[2].priority = 7;
  const ProcessAssignment found = assign_processes(workload, with_choice(KernelChoice::priority));
  CHECK(found.names == std::vector<std::string>{"priority 7", "priority 0"});
  CHECK(found.of_launches == std::vector<std::uint32_t>{1, 0, 1});
}
