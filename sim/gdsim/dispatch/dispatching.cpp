#include <gdsim/dispatch/dispatching.hpp>

#include <gdsim/dispatch/turn/whole_turn.hpp>

namespace gdsim {

Dispatching::Dispatching(const DispatchInput& input, CoreBank& bank, std::vector<LaunchRecord>& records,
                         KeepAccounts keep)
    : state_(input, bank), accounts_(input.device, state_, records, keep) {
  if (accounts_.are_kept()) state_.listener = &accounts_;
}

void Dispatching::arrive(LaunchId launch, SimTime ready, SimTime prepared_since) {
  state_.note_launches_changed();
  state_.begun_launches.arrive(launch, prepared_since);
  state_.chooser->arrive(launch, ready);
}

std::span<const Grant> Dispatching::take_turn(SimTime now) {
  if (!begin_turn(state_, now)) return {};
  accounts_.begin_turn();
  decide_turn(state_);
  accounts_.end_turn();
  return state_.decisions.grants;
}

void Dispatching::hold(SimTime now) {
  state_.note_launches_changed();  // refused launches now wait for another process
  accounts_.hold(now);
}

}  // namespace gdsim
