#pragma once

#include <gdsim/dispatch/dispatcher.hpp>
#include <gdsim/model/arrivals.hpp>
#include <gdsim/model/barriers.hpp>
#include <gdsim/model/children.hpp>
#include <gdsim/model/copy_engines.hpp>
#include <gdsim/model/fault_injection.hpp>
#include <gdsim/model/held_contexts.hpp>
#include <gdsim/model/launch_states.hpp>
#include <gdsim/model/programs.hpp>
#include <gdsim/model/recoveries.hpp>
#include <gdsim/model/shared_resources.hpp>
#include <gdsim/model/time_ledger.hpp>
#include <gdsim/record/facts.hpp>

#include <memory>
#include <vector>

namespace gdsim {

/// A device under a workload at one instant, and what will happen to it next. What happens is written in the files that
/// work on it: `arrive`, `dispatch_turn`, `walk`, `step_end`, `barrier_open`, `end_of_work`.
struct ModelState {
  /// The workload has no fault. All references must outlive this.
  ModelState(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
             const PlacementMaker& make_placement, const FaultInjection& faults);
  ModelState(const ModelState&) = delete;
  ModelState& operator=(const ModelState&) = delete;

  const DeviceSpec& device;
  const Workload& workload;
  LaunchGraph graph;  ///< [constant]
  Programs programs;  ///< [constant]

  GpuQueue events;
  LaunchStates launches;
  Arrivals arrivals;
  CopyEngines copies;
  CoreBank bank;
  Dispatcher dispatcher;
  Residents residents;
  HeldContexts held;
  Recoveries recoveries;
  Cohorts cohorts;
  Barriers barriers;
  SharedResources resources;
  Children children;
  TimeLedger time_use;
  FaultInjection faults;         ///< [constant]
  std::uint64_t give_backs = 0;  ///< [statistics]

  // Of the current instant.
  std::vector<Fact> facts;               ///< [scratch]
  std::vector<LaunchFact> launch_facts;  ///< [scratch]
  bool turn_is_due = false;              ///< [scratch]
  bool turn_was_taken = false;           ///< [scratch]
  bool copy_begins = false;              ///< [scratch]
  std::vector<Cohort> going_on;            ///< [scratch] of one event
  std::vector<std::size_t> last_going_on;  ///< [scratch] by group: its last in going_on

  Picoseconds now() const { return events.now(); }
  const Kernel& kernel_of(LaunchId launch) const { return workload.kernel_of(workload.launches[index_of(launch)]); }
  /// A dispatch turn follows at this instant.
  void want_turn();
};

}  // namespace gdsim
