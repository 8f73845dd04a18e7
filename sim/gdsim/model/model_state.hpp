#pragma once

#include <gdsim/dispatch/dispatching.hpp>
#include <gdsim/model/lifecycle/arrivals.hpp>
#include <gdsim/model/lifecycle/launch_states.hpp>
#include <gdsim/model/lifecycle/residents.hpp>
#include <gdsim/model/step_state.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// The state of a device under a workload at one instant, with its pending events: resident threads, launches, and
/// dispatching. Its changes are defined in the files `dispatch_turn`, `start_of_work` and `end_of_work` for the whole
/// state, and `execute_until_blocked`, `step_end`, `load_end` and `barrier_open` for StepState.
struct ModelState : StepState {
  explicit ModelState(const ModelInput& input);

  /// Schedules a dispatch turn at this instant.
  void want_turn() {
    if (turn_is_due) return;
    turn_is_due = true;
    events.schedule_now(Event::turn_is_taken());
  }

  GpuQueue host_events;  ///< empty unless the host has its own time
  LaunchStates launches;
  Arrivals arrivals;
  CopyEngines copies;
  CoreBank bank;
  Dispatching dispatching;
  HeldContexts held;
  Recoveries recoveries;              ///< of work-groups that do not store
  Recoveries recoveries_with_stores;  ///< of those that do
  FaultInjection faults;
  std::uint64_t releases = 0;

  // State of the current instant.
  std::vector<LaunchFact> launch_facts;
  bool turn_is_due = false;
  bool copy_begins = false;
  std::vector<LaunchId> link_copies;  ///< copies that have begun, until the owner of the links takes them
};

}  // namespace gdsim
