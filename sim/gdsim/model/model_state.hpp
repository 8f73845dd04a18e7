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
/// dispatching. What changes the whole state is defined in `lifecycle/start_and_end_of_work.cpp`; what changes
/// StepState alone, in the folder `steps`.
struct ModelState : StepState {
  explicit ModelState(const ModelInput& input);

  /// Schedules a dispatch turn at this instant.
  void want_turn() {
    if (turn_is_due) return;
    turn_is_due = true;
    events.schedule_now(Event::turn_is_taken());
  }

  ModelEventQueue host_events;  ///< empty unless the host has its own time
  LaunchStates launches;
  Arrivals arrivals;
  CopyEngines copies;
  CoreBank bank;
  Dispatching dispatching;
  HeldContexts held;
  Recoveries recoveries;              ///< of work-groups that do not store
  Recoveries recoveries_with_stores;  ///< of those that do
  std::vector<Duration> acknowledgement;  ///< from the end of a store to the end of its launch, by clock
  FaultInjection faults;
  std::uint64_t releases = 0;

  // State of the current instant.
  std::vector<LaunchFact> launch_facts;
  bool turn_is_due = false;
  bool copy_begins = false;
  std::vector<LaunchId> link_copies;  ///< copies that have begun, until the owner of the links takes them
};

/// Sets all members that depend on the work-group's number and wave. Must be called when it begins its program.
void prepare_group(ModelState& state, GroupIndex group);

/// Lets the threads of a grant enter their program.
void start_threads(ModelState& state, const Grant& grant);

/// Handles the arrival of a launch, which is now ready.
void arrive(ModelState& state, LaunchId launch);

/// Begins copies while engines are free.
void begin_copies(ModelState& state);

/// Begins copies and places work-groups while resources are free.
void take_dispatch_turn(ModelState& state);

/// Ends a cohort that has reached the end of its program, and releases its contexts. The last threads end their
/// work-group, and the last work-group ends its launch. No other function of the model releases resources.
void end_threads(ModelState& state, CohortIndex cohort);

/// Frees the resources whose recovery ends by `until`.
void end_recoveries(ModelState& state, SimTime until);

/// Must be called when the launch's last store under way has ended: it is acknowledged after a latency.
void await_acknowledgement(ModelState& state, LaunchId launch);

/// Ends a copy, whose engine is free then, or does what waited for the acknowledgement of the launch's stores: submits
/// late children, or ends the launch.
void end_by_itself(ModelState& state, LaunchId launch);

/// Books the waits and the held resources of launches up to now. Must be called once, at the end of the run.
void settle_launches(ModelState& state);

/// Returns the time use of threads up to now, by core, then kernel, without empty entries. Threads in the middle of an
/// op are included. Must be called once, at the end of the run.
std::vector<CoreTimeUse> finalize_time_use(ModelState& state);

/// Returns the bytes that memory steps have requested, by kernel, then memory level; without levels if there are none.
std::vector<std::vector<Int128>> traffic_by_kernel(const ModelState& state);

/// Returns the threads that wait at this barrier.
std::vector<Cohort> waiting_at(const ModelState& state, GroupIndex group, std::uint32_t barrier);

}  // namespace gdsim
