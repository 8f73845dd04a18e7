#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/accounting/keep_accounts.hpp>
#include <gdsim/dispatch/placement/placement.hpp>
#include <gdsim/fit/footprint_table.hpp>
#include <gdsim/model/fault_injection.hpp>
#include <gdsim/program/program_plans.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

/// The inputs of a model, which must be checked, flattened, and constant. References must outlive the model.
struct ModelInput {
  const DeviceSpec& device;
  const DispatchRules& rules;
  const Workload& workload;
  const ProgramPlans& plans;
  const LaunchGraph& graph;  ///< without a cycle
  const FootprintTable& footprints;
  PlacementMaker make_placement;
  std::uint64_t seed_offset = 0;  ///< added to the seed of every draw
  FaultInjection faults{};
  std::vector<WaitSeries*> wait_series{};  ///< series that record the waits of threads over time
  /// Number of launches of the workload that this model does not execute: the host order of its graph excludes them.
  std::size_t foreign_launches = 0;
  /// True if the host and the copy engines have their own event queue, in the time of the run: see Process.
  bool host_has_own_time = false;
  KeepAccounts keep_accounts = KeepAccounts::yes;  ///< must be yes if there are `wait_series`
};

}  // namespace gdsim
