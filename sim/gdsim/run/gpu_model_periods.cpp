#include <gdsim/run/gpu_model.hpp>

#include <algorithm>
#include <limits>

// While one launch of equal work-groups is alone on the device, what happens repeats. Whole periods then pass at once:
// exactly, for the state recurs, and all that follows from it up to the next arrival.

namespace gdsim {

void GpuModel::lone_launch_may_change() {
  alone_.reset();
  if (arrived_ != 1 || !can_repeat(static_cast<LaunchId>(arrived_sum_))) return;
  alone_ = static_cast<LaunchId>(arrived_sum_);
  periods_.restart();
}

/// Events and give-backs that are counted one by one must come one by one.
bool GpuModel::can_repeat(LaunchId id) const {
  if (control_.skipping == Skipping::no || control_.bounds.events || control_.faults.lost_give_back) return false;
  const Launch& launch = workload_.launches[index_of(id)];
  return !launch.is_copy() && execution_.can_repeat(launch.kernel);
}

void GpuModel::look_for_period(Picoseconds now) {
  if (!periods_.is_looking()) return;
  periods_.see(now, facts_);
  if (!turn_was_taken_) return;
  switch (
      periods_.turn_is_over(now, dispatcher_.dispatched(*alone_), [this](StateWords& s) { return tell_state(s); })) {
    case PeriodWatch::Found::nothing: break;
    case PeriodWatch::Found::a_period: period_began_with_ = accounts(now); break;
    case PeriodWatch::Found::its_end: pass_periods(now, periods_to_pass(now)); break;
  }
}

bool GpuModel::tell_state(StateWords& state) {
  const std::uint64_t next = dispatcher_.dispatched(*alone_);
  if (!dispatcher_.tell_state(*alone_, state)) return false;
  for (const Core& core : bank_.cores) core.tell_state(state);
  if (device_.release == Release::work_group)
    for (const GroupIndex index : execution_.active_groups()) tell_held(index, state);
  return execution_.tell_state(next, state);
}

void GpuModel::tell_held(GroupIndex group, StateWords& state) {
  const auto index = static_cast<std::size_t>(group);
  state.add(index < held_.size() ? held_[index].size() : 0);
  if (index >= held_.size()) return;
  for (const Held& held : held_[index]) {
    execution_.tell_part(held.part, state);
    state.add((queue_.now() - held.since).count);
  }
}

GpuModel::Accounts GpuModel::accounts(Picoseconds now) const {
  Accounts all;
  std::uint64_t resident = 0;
  for (const Core& core : bank_.cores) {
    all.context_time.push_back(core.context_time(now));
    resident += core.resident();
  }
  all.time_use = execution_.time_use_of(workload_.launches[index_of(*alone_)].kernel);
  all.waited = dispatcher_.waited(*alone_);
  all.idle = dispatcher_.idle_sums(now);
  all.resident_time = records_[index_of(*alone_)].resident_time + static_cast<Int128>(resident) * now.count;
  return all;
}

/// So many that work-groups are left for all of them, that they end before the next launch arrives and before the run
/// may go no further, and that no time leaves 64 bits.
std::uint64_t GpuModel::periods_to_pass(Picoseconds now) {
  const Shift& period = periods_.segment().shift();
  Picoseconds last = now;
  Picoseconds bound{std::numeric_limits<std::int64_t>::max()};
  if (control_.bounds.time) bound = *control_.bounds.time;
  queue_.visit_pending([&](Picoseconds time, const Event& event) {
    if (static_cast<Rank>(event.rank()) == Rank::launch_arrives) {
      bound = std::min(bound, time);
    } else {
      last = std::max(last, time);
    }
  });
  const std::int64_t before_bound = (bound - now).count - 1;
  const std::int64_t before_overflow = std::numeric_limits<std::int64_t>::max() - last.count;
  const auto by_time = static_cast<std::uint64_t>(std::min(before_bound, before_overflow) / period.time.count);
  return std::min(by_time, (dispatcher_.undispatched(*alone_) - 1) / period.work_groups);
}

/// Observers who want to be told of everything are told of some at a time: someone may want to stop the run.
void GpuModel::pass_periods(Picoseconds now, std::uint64_t count) {
  Accounts in_one = accounts(now);
  for (std::size_t core = 0; core < bank_.cores.size(); ++core) {
    in_one.context_time[core] -= period_began_with_.context_time[core];
    const std::vector<Int128>& idle = period_began_with_.idle[core];
    for (std::size_t cause = 0; cause < idle.size(); ++cause) in_one.idle[core][cause] -= idle[cause];
    for (std::size_t kind = 0; kind < kTimeKinds; ++kind)
      in_one.time_use[core].spent[kind] -= period_began_with_.time_use[core].spent[kind];
  }
  for (std::size_t reason = 0; reason < kWaitReasonCount; ++reason)
    in_one.waited[reason] = in_one.waited[reason] - period_began_with_.waited[reason];
  in_one.resident_time -= period_began_with_.resident_time;
  while (count > 0 && !is_to_stop()) {
    std::uint64_t some = count;
    for (const Observer* observer : observers_) some = std::min(some, observer->most_repetitions(periods_.segment()));
    pass(in_one, some);
    count -= some;
  }
}

void GpuModel::pass(const Accounts& in_one, std::uint64_t count) {
  const LaunchId launch = *alone_;
  const Shift shift = periods_.segment().shift() * count;
  const auto times = static_cast<Int128>(count);
  queue_.pass(shift.time, [](const Event& event) { return static_cast<Rank>(event.rank()) != Rank::launch_arrives; });
  execution_.pass(shift);
  WaitTimes waited{};
  for (std::size_t reason = 0; reason < kWaitReasonCount; ++reason)
    waited[reason] = (Shift{in_one.waited[reason], 0} * count).time;
  IdleSums idle = in_one.idle;
  for (auto& core : idle)
    for (Int128& sum : core) sum *= times;
  dispatcher_.pass(launch, shift, waited, idle);
  Int128 resident = 0;
  for (std::size_t i = 0; i < bank_.cores.size(); ++i) {
    bank_.cores[i].pass(shift.time, times * in_one.context_time[i]);
    resident += bank_.cores[i].resident();
    TimeUse use = in_one.time_use[i];
    for (Int128& spent : use.spent) spent *= times;
    execution_.book(static_cast<CoreId>(i), workload_.launches[index_of(launch)].kernel, use);
  }
  records_[index_of(launch)].resident_time += times * in_one.resident_time - resident * shift.time.count;
  parts_left_[index_of(launch)] -= shift.work_groups;
  for (auto& group : held_)
    for (Held& held : group) held.since = held.since + shift.time;
  for (Observer* observer : observers_) observer->repeated(periods_.segment(), count);
  periods_.segment().move(count);
}

}  // namespace gdsim
