#include <gdsim/dispatch/dispatcher.hpp>

// What a dispatcher's next turns depend on, and how it passes over turns that repeat.

namespace gdsim {

bool Dispatcher::tell_state(const GroupCounts& dispatched, StateWords& state) const {
  if (!changed_.empty() || !judged_.empty() || !asker_ || !placement_->tell_state(state)) return false;
  const auto tell = [&](const std::optional<Unfinished>& group) {
    state.add(group.has_value());
    if (!group) return;
    state.add(group->launch);
    state.add(progress_.next_number(group->launch) - number_of(group->work_group));
    state.add(group->remaining);
    state.add(group->holds_port);
  };
  for (const GroupCount& launch : dispatched) state.add(progress_.has_next(launch.launch));
  state.add(rests_.size());
  for (const LaunchId launch : rests_) state.add(launch);
  state.add(*asker_);
  state.add(ports_.held());
  state.add(last_changed_ ? *last_changed_ + 1 : 0);
  for (const auto& partial : partials_) tell(partial);
  tell(spreading_);
  if (spreading_)
    for (std::size_t core = 0; core < bank_.cores.size(); ++core) state.add(spread_over_.contains(core));
  chooser_->tell_state(state);
  claims_.tell_state(state);
  candidates_.tell_state(state);
  waits_.tell_state(state);
  idle_.tell_state(state);
  state.add(waiting_ ? index_of(waiting_->kernel) + 1 : 0);
  state.add(waiting_ ? waiting_->reason : WaitReason{});
  return true;
}

void Dispatcher::pass(const Shift& shift, const IdleSums& idle) {
  for (const GroupCount& one : shift.work_groups) progress_.pass(one.launch, one.work_groups);
  waits_.pass(shift.time);
  idle_.pass(idle, shift.time);
  const auto move = [&](std::optional<Unfinished>& group) {
    if (group)
      group->work_group = WorkGroupId{number_of(group->work_group) + count_of(shift.work_groups, group->launch)};
  };
  for (auto& partial : partials_) move(partial);
  move(spreading_);
}

}  // namespace gdsim
