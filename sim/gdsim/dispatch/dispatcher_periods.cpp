#include <gdsim/dispatch/dispatcher.hpp>

// What a dispatcher's next turns depend on, and how it passes over turns that repeat.

namespace gdsim {

bool Dispatcher::tell_state(LaunchId launch, StateWords& state) const {
  if (!changed_.empty() || !judged_.empty() || asker_ != launch || !progress_.has_next(launch) ||
      !placement_->tell_state(state))
    return false;
  const std::uint64_t next = progress_.next_number(launch);
  const auto tell = [&](const std::optional<Unfinished>& group) {
    state.add(group.has_value());
    if (!group) return;
    state.add(next - number_of(group->work_group));
    state.add(group->remaining);
    state.add(group->holds_port);
  };
  state.add(ports_.held());
  state.add(last_changed_ ? *last_changed_ + 1 : 0);
  for (const auto& partial : partials_) tell(partial);
  tell(spreading_);
  if (spreading_)
    for (std::size_t core = 0; core < bank_.cores.size(); ++core) state.add(spread_over_.contains(core));
  candidates_.tell_state(state);
  waits_.tell_state(state);
  idle_.tell_state(state);
  state.add(waiting_ ? index_of(waiting_->kernel) + 1 : 0);
  state.add(waiting_ ? waiting_->reason : WaitReason{});
  return true;
}

void Dispatcher::pass(LaunchId launch, const Shift& shift, const WaitTimes& waited, const IdleSums& idle) {
  progress_.pass(launch, shift.work_groups);
  waits_.pass(launch, waited, shift.time);
  idle_.pass(idle, shift.time);
  const auto move = [&](std::optional<Unfinished>& group) {
    if (group) group->work_group = WorkGroupId{number_of(group->work_group) + shift.work_groups};
  };
  for (auto& partial : partials_) move(partial);
  move(spreading_);
}

}  // namespace gdsim
