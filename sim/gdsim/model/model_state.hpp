#pragma once

#include <gdsim/dispatch/dispatching.hpp>
#include <gdsim/model/lifecycle/arrivals.hpp>
#include <gdsim/model/lifecycle/copy_engines.hpp>
#include <gdsim/model/lifecycle/held_contexts.hpp>
#include <gdsim/model/lifecycle/launch_states.hpp>
#include <gdsim/model/lifecycle/recoveries.hpp>
#include <gdsim/model/step_state.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// The members of a ModelState other than those of StepState.
struct DeviceParts {
  DeviceParts(const ModelInput& input, StepState& steps);

  GpuQueue host_events;  ///< empty unless the host has its own time; then runs are not fast-forwarded
  LaunchStates launches;
  /// Changes only when a launch arrives, begins, triggers or ends, which is never fast-forwarded.
  Arrivals arrivals;
  CopyEngines copies;
  CoreBank bank;
  Dispatching dispatching;
  HeldContexts held;
  Recoveries recoveries;
  FaultInjection faults;
  std::uint64_t releases = 0;

  // State of the current instant.
  std::vector<LaunchFact> launch_facts;
  bool turn_is_due = false;
  bool turn_was_taken = false;
  bool copy_begins = false;
  std::vector<LaunchId> link_copies;  ///< copies that have begun, until the owner of the links takes them
};

/// The state of a device under a workload at one instant, with its pending events: resident threads, launches, and
/// dispatching. Its changes are defined in the files `dispatch_turn`, `start_of_work` and `end_of_work` for the whole
/// state, and `execute_until_blocked`, `step_end`, `load_end` and `barrier_open` for StepState.
struct ModelState : StepState, DeviceParts {
  explicit ModelState(const ModelInput& input) : StepState(input), DeviceParts(input, *this) {}
  ModelState(const ModelState&) = delete;  // its parts refer to each other
  /// Copies the state of `other`, for which is_of_same_parts() must return true. Keeps its own loop hook.
  ModelState& operator=(const ModelState& other) = default;
  ~ModelState() = default;
  /// Returns true if both were made of the same parts of a Compiled, to which their threads and requests refer.
  bool is_of_same_parts(const ModelState& other) const {
    return &device == &other.device && &workload == &other.workload && &graph == &other.graph &&
           &programs.plans() == &other.programs.plans();
  }

  /// Schedules a dispatch turn at this instant.
  void want_turn() {
    if (turn_is_due) return;
    turn_is_due = true;
    events.schedule_now(Event::turn_is_taken());
  }
};

}  // namespace gdsim
