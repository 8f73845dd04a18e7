#include <gdsim/dispatch/dispatching.hpp>

#include <gdsim/dispatch/turn/incremental_turn.hpp>
#include <gdsim/dispatch/turn/whole_turn.hpp>

namespace gdsim {

Dispatching::Dispatching(const DispatchInput& input, CoreBank& bank, std::vector<LaunchRecord>& records,
                         KeepAccounts keep)
    : state_(input, bank), accounts_(input.device, state_, records, keep) {
  if (accounts_.are_kept()) state_.listener = &accounts_;
}

void Dispatching::arrive(LaunchId launch, SimTime ready, SimTime prepared_since) {
  state_.launch_waiting_for_core.reset();
  state_.begun_launches.arrive(launch, prepared_since);
  state_.chooser->arrive(launch, ready);
}

std::span<const Grant> Dispatching::turn(SimTime now) {
  begin_turn(state_, now);
  if (take_incremental_turn(state_)) {
    accounts_.on_incremental_turn();
  } else {
    accounts_.begin_turn();
    take_whole_turn(state_);
    accounts_.end_turn();
  }
  return state_.decisions.grants;
}

void Dispatching::hold(SimTime now) {
  // Refused launches now wait for another process, so the next turn must be a whole one.
  state_.only_refused_launch.reset();
  state_.launch_waiting_for_core.reset();
  accounts_.hold(now);
}

}  // namespace gdsim
