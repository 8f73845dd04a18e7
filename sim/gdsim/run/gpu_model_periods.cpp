#include <gdsim/run/gpu_model.hpp>

#include <algorithm>
#include <limits>

// While the same launches of equal work-groups are there, what happens repeats, sooner or later. Whole periods then
// pass at once: exactly, for the state recurs, and all that follows from it up to the next arrival or work-group with
// a factor of its own, or until a launch has no work-groups left for another period.

namespace gdsim {
namespace {

/// With several launches, which may come and go quickly, states are told only once so much has happened for each
/// launch, core and work-group of which a state tells.
constexpr std::uint64_t kFactsBefore = 8;

}  // namespace

void GpuModel::launch_comes(LaunchId launch) {
  if (!workload_.launches[index_of(launch)].is_copy()) {
    places_in_present_[index_of(launch)] = present_.size();
    present_.push_back(launch);
  }
  look_anew();
}

void GpuModel::launch_begins(LaunchId launch) {
  if (!execution_.can_repeat(workload_.launches[index_of(launch)].kernel)) ++unrepeatable_;
}

void GpuModel::launch_goes(LaunchId id) {
  const Launch& launch = workload_.launches[index_of(id)];
  if (!launch.is_copy()) {
    if (!execution_.can_repeat(launch.kernel)) --unrepeatable_;
    const std::size_t place = places_in_present_[index_of(id)];
    present_[place] = present_.back();
    places_in_present_[index_of(present_[place])] = place;
    present_.pop_back();
  }
  look_anew();
}

void GpuModel::look_anew() {
  if (!may_pass_periods() || unrepeatable_ > 0 || present_.empty()) {
    periods_.give_up();
  } else {
    const std::uint64_t told = present_.size() + bank_.cores.size() + execution_.active();
    periods_.restart(present_.size() == 1 ? 0 : kFactsBefore * told);
  }
}

void GpuModel::look_for_period(Picoseconds now) {
  if (!periods_.is_looking()) return;
  periods_.see(now, facts_);
  if (!turn_was_taken_) return;
  const auto tell = [this](GroupCounts& dispatched, StateWords& state) { return tell_state(dispatched, state); };
  switch (periods_.turn_is_over(now, tell)) {
    case PeriodWatch::Found::nothing: break;
    case PeriodWatch::Found::a_period:
      period_began_with_ = accounts(now);
      waits_.record(WaitLog::Watch::work_groups);
      break;
    case PeriodWatch::Found::its_end:
      pass_periods(now, periods_to_pass(now));
      if (has_factors_ahead()) look_anew();
      break;
  }
}

/// Behind them, other periods may come.
bool GpuModel::has_factors_ahead() const {
  return std::any_of(present_.begin(), present_.end(), [this](LaunchId launch) {
    return execution_.first_declared(launch, dispatcher_.dispatched(launch)) != Execution::kNoGroup;
  });
}

bool GpuModel::tell_state(GroupCounts& dispatched, StateWords& state) {
  for (const LaunchId launch : present_)
    if (records_[index_of(launch)].first_dispatched) dispatched.push_back({launch, dispatcher_.dispatched(launch)});
  std::sort(dispatched.begin(), dispatched.end(),
            [](const GroupCount& a, const GroupCount& b) { return a.launch < b.launch; });
  if (!dispatcher_.tell_state(dispatched, state)) return false;
  for (const Core& core : bank_.cores) core.tell_state(state);
  if (device_.release == Release::work_group)
    for (const GroupIndex index : execution_.active_groups()) tell_held(index, state);
  return execution_.tell_state(dispatched, state);
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
  for (const Core& core : bank_.cores) all.context_time.push_back(core.context_time(now));
  all.idle = dispatcher_.idle_sums(now);
  std::vector<KernelId> kernels;
  const std::vector<std::uint64_t> resident = resident_threads();
  for (std::size_t i = 0; i < present_.size(); ++i) {
    const LaunchRecord& record = records_[index_of(present_[i])];
    if (record.first_dispatched) kernels.push_back(workload_.launches[index_of(present_[i])].kernel);
    all.waited.push_back(dispatcher_.waited(present_[i]));
    all.resident_time.push_back(record.resident_time + static_cast<Int128>(resident[i]) * now.count);
  }
  std::sort(kernels.begin(), kernels.end());
  kernels.erase(std::unique(kernels.begin(), kernels.end()), kernels.end());
  for (const KernelId kernel : kernels) all.time_use.push_back({kernel, execution_.time_use_of(kernel)});
  return all;
}

/// Of present_.
std::vector<std::uint64_t> GpuModel::resident_threads() const {
  std::vector<std::uint64_t> resident(present_.size(), 0);
  for (const GroupIndex index : execution_.active_groups()) {
    const ActiveGroup& group = execution_.group(index);
    const std::uint32_t back = device_.release == Release::thread ? group.ended : 0;
    resident[places_in_present_[index_of(group.launch)]] += group.placed - back;
  }
  return resident;
}

GpuModel::Accounts& GpuModel::Accounts::operator-=(const Accounts& earlier) {
  for (std::size_t core = 0; core < context_time.size(); ++core) {
    context_time[core] -= earlier.context_time[core];
    const std::vector<Int128>& before = earlier.idle[core];
    for (std::size_t cause = 0; cause < before.size(); ++cause) idle[core][cause] -= before[cause];
  }
  for (std::size_t i = 0; i < time_use.size(); ++i)
    for (std::size_t core = 0; core < context_time.size(); ++core)
      for (std::size_t kind = 0; kind < kTimeKinds; ++kind)
        time_use[i].by_core[core].spent[kind] -= earlier.time_use[i].by_core[core].spent[kind];
  for (std::size_t i = 0; i < waited.size(); ++i) {
    for (std::size_t reason = 0; reason < kWaitReasonCount; ++reason)
      waited[i][reason] = waited[i][reason] - earlier.waited[i][reason];
    resident_time[i] -= earlier.resident_time[i];
  }
  return *this;
}

/// How many work-groups of the launch may be dispatched while periods pass, in each of which so many are: one is left,
/// and none has a factor of its own. Nor had those of the period that was recorded, else none may.
std::uint64_t GpuModel::groups_to_pass(const GroupCount& in_one) const {
  const std::uint64_t next = dispatcher_.dispatched(in_one.launch);
  const std::uint64_t declared = execution_.first_declared(in_one.launch, next - in_one.work_groups);
  if (declared < next) return 0;
  return std::min(dispatcher_.undispatched(in_one.launch) - 1, declared - next);
}

/// So many that work-groups are left for all of them, that they end before the next launch arrives and before the run
/// may go no further, and that no time leaves 64 bits.
std::uint64_t GpuModel::periods_to_pass(Picoseconds now) {
  const Shift& period = periods_.segment().shift();
  Picoseconds last = now;
  Picoseconds bound{std::numeric_limits<std::int64_t>::max()};
  if (control_.bounds.time) bound = *control_.bounds.time;
  queue_.visit_pending([&](Picoseconds time, const Event& event) {
    if (event.is_of_launch()) {
      bound = std::min(bound, time);
    } else {
      last = std::max(last, time);
    }
  });
  const std::int64_t before_bound = (bound - now).count - 1;
  const std::int64_t before_overflow = std::numeric_limits<std::int64_t>::max() - last.count;
  auto count = static_cast<std::uint64_t>(std::min(before_bound, before_overflow) / period.time.count);
  for (const GroupCount& one : period.work_groups)
    if (one.work_groups > 0) count = std::min(count, groups_to_pass(one) / one.work_groups);
  return count;
}

/// Observers who want to be told of everything are told of some at a time: someone may want to stop the run.
void GpuModel::pass_periods(Picoseconds now, std::uint64_t count) {
  Accounts in_one = accounts(now);
  in_one -= period_began_with_;
  while (count > 0 && !is_to_stop()) {
    std::uint64_t some = count;
    for (const Observer* observer : observers_) some = std::min(some, observer->most_repetitions(periods_.segment()));
    pass(in_one, some);
    count -= some;
  }
}

void GpuModel::pass(const Accounts& in_one, std::uint64_t count) {
  const Shift shift = times(periods_.segment().shift(), count);
  const auto repetitions = static_cast<Int128>(count);
  queue_.pass(shift.time, [](const Event& event) { return !event.is_of_launch(); });
  execution_.pass(shift);
  IdleSums idle = in_one.idle;
  for (auto& core : idle)
    for (Int128& sum : core) sum *= repetitions;
  dispatcher_.pass(shift, idle);
  for (std::size_t i = 0; i < bank_.cores.size(); ++i)
    bank_.cores[i].pass(shift.time, repetitions * in_one.context_time[i]);
  for (const KernelUse& one : in_one.time_use)
    for (std::size_t i = 0; i < bank_.cores.size(); ++i) {
      TimeUse use = one.by_core[i];
      for (Int128& spent : use.spent) spent *= repetitions;
      execution_.book(static_cast<CoreId>(i), one.kernel, use);
    }
  const std::vector<std::uint64_t> resident = resident_threads();
  for (std::size_t i = 0; i < present_.size(); ++i) {
    WaitTimes waited{};
    for (std::size_t reason = 0; reason < kWaitReasonCount; ++reason)
      waited[reason] = times(in_one.waited[i][reason], count);
    dispatcher_.add_waited(present_[i], waited);
    records_[index_of(present_[i])].resident_time +=
        repetitions * in_one.resident_time[i] - static_cast<Int128>(resident[i]) * shift.time.count;
  }
  for (const GroupCount& one : shift.work_groups) parts_left_[index_of(one.launch)] -= one.work_groups;
  for (auto& group : held_)
    for (Held& held : group) held.since = held.since + shift.time;
  waits_.repeat(WaitLog::Watch::work_groups, count, periods_.segment().shift().time);
  for (Observer* observer : observers_) observer->repeated(periods_.segment(), count);
  periods_.segment().move(count);
}

}  // namespace gdsim
