#include <gdsim/model/lifecycle/dispatch_turn.hpp>

#include <gdsim/model/lifecycle/start_of_work.hpp>

namespace gdsim {
namespace {

void begin_copy(ModelState& state, LaunchId copy) {
  state.launches.begin(copy, state.now());
  state.launches.record(copy).fully_dispatched = state.launches.host_time(state.now());
  state.launch_facts.push_back({LaunchFact::Kind::first_dispatched, copy});
  state.copy_begins = true;
}

}  // namespace

void arrive(ModelState& state, LaunchId launch) {
  state.launches.arrive(launch);
  state.arrivals.on_arrived(launch);
  if (state.workload.launches[index_of(launch)].is_link_copy()) {
    begin_copy(state, launch);
    state.link_copies.push_back(launch);
  } else if (!state.workload.launches[index_of(launch)].is_kernel()) {
    state.copies.arrive(launch, state.launches.host_time(state.now()));
  } else {
    const SimTime ready = state.launches.host_time(state.now());
    const Duration host_ahead = ready - state.now();
    state.dispatching.arrive(launch, ready, state.arrivals.prepared_since(launch) - host_ahead);
  }
  state.want_turn();
}

void begin_copies(ModelState& state) {
  for (const LaunchId copy : state.copies.begin()) begin_copy(state, copy);
}

void take_dispatch_turn(ModelState& state) {
  state.turn_is_due = false;
  state.turn_was_taken = true;
  begin_copies(state);
  const auto grants = state.dispatching.turn(state.now());
  for (const LaunchId launch : state.dispatching.begun()) {
    state.launches.record(launch).begun = state.launches.host_time(state.now());
    state.arrivals.on_begun(launch);
  }
  for (const SimTime at : state.dispatching.next_turns()) state.events.schedule(at, Event::turn_is_taken());
  for (const Grant& grant : grants) {
    if (!state.launches.record(grant.launch).first_dispatched) {
      state.launches.begin(grant.launch, state.now());
      state.launch_facts.push_back({LaunchFact::Kind::first_dispatched, grant.launch});
    }
    if (state.dispatching.progress().is_fully_placed(grant.launch))
      state.launches.on_all_placed(grant.launch, state.now());
    state.launches.change_resident(grant.launch, grant.core, grant.threads, state.now());
  }
  for (const Grant& grant : grants) start_threads(state, grant);
}

}  // namespace gdsim
