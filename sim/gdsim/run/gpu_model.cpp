#include <gdsim/run/gpu_model.hpp>

#include <gdsim/workload/child_launches.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

/// Engines are told apart if a thread of some kernel needs something of its engine besides one context, or shares
/// its issue slots.
EngineDetail engine_detail(const DeviceSpec& device, const Workload& workload) {
  const bool needed = std::any_of(workload.kernels.begin(), workload.kernels.end(), [&](const Kernel& kernel) {
    return make_footprint(kernel, device, 1).thread != EngineNeed{} || has_step<Issue>(kernel.program);
  });
  return needed ? EngineDetail::each : EngineDetail::none;
}

}  // namespace

GpuModel::GpuModel(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                   std::unique_ptr<Placement> placement, GpuQueue& queue, std::span<Observer* const> observers,
                   const RunControl& control)
    : device_(device),
      workload_(workload),
      queue_(queue),
      observers_(observers),
      bank_{std::vector<Core>(device.cores, Core(device, engine_detail(device, workload))),
            EngineSets(device.engines_per_core)},
      dispatcher_(device, rules, workload, std::move(placement), bank_),
      waits_(control.wait_series),
      execution_(device, workload, queue, bank_.engine_sets, facts_, waits_,
                 control.bounds.events ? Skipping::no : control.skipping),
      graph_(make_launch_graph(workload)),
      records_(workload.launches.size()),
      schedule_(device, workload, graph_, queue, records_),
      copies_(device.copy, workload.launches, queue),
      launches_left_(workload.launches.size()),
      places_in_present_(workload.launches.size()),
      loops_(execution_),
      control_(control),
      relays_(control.skipping == Skipping::yes && !control.faults.lost_give_back &&
              bank_.cores.front().knows_no_engines()),
      hides_handovers_(!control.bounds.events && std::none_of(observers.begin(), observers.end(),
                                                              [](const Observer* o) { return o->sees_handovers(); })) {
  for (const Launch& launch : workload.launches) {
    const Kernel& kernel = workload.kernel_of(launch);
    parts_left_.push_back(launch.is_copy() ? 1 : kernel.range.group_count() + child_count(kernel));
  }
}

void GpuModel::on(const GpuQueue::Batch& batch) {
  events_ += batch.events.size();
  switch (static_cast<Rank>(batch.rank)) {
    case Rank::work_done:
      for (const Event& event : batch.events) execution_.end_work(event.resource());
      break;
    case Rank::thread_ends:
      if (batch.events.size() == 1 && may_relay(execution_.cohort(batch.events.front().cohort()))) {
        relay(batch.events.front().cohort());
        break;
      }
      for (const Event& event : batch.events) end_threads(event.cohort());
      break;
    case Rank::copy_ends:
      for (const Event& event : batch.events) end_copy(event.launch());
      break;
    case Rank::step_ends: execution_.end_steps(batch.events); break;
    case Rank::barrier_opens:
      for (const Event& event : batch.events) execution_.open_meeting(event.group(), event.meeting());
      break;
    case Rank::launch_arrives:
      for (const Event& event : batch.events) arrive(event.launch());
      break;
    case Rank::dispatch_turn: turn(); break;
  }
  for (const LaunchId child : execution_.take_launched_children()) schedule_.submit_child(child);
}

void GpuModel::arrive(LaunchId launch) {
  launch_comes(launch);
  schedule_.arrived(launch);
  if (workload_.launches[index_of(launch)].is_copy()) {
    copies_.arrive(launch, queue_.now());
  } else {
    dispatcher_.arrive(launch, queue_.now());
  }
  want_turn();
}

/// Users of shared resources are done before anything else happens: that becomes events.
void GpuModel::before_next() {
  wake_users();
  // What lies behind the bound does not happen: the run ends there.
  const auto bound = control_.bounds.time;
  if (const auto next = queue_.next_time(); bound && next && *next > *bound && queue_.now() < *bound)
    queue_.schedule(*bound, Event::dispatch_turn());
}

void GpuModel::wake_users() {
  for (auto due = execution_.contention().next(); due; due = execution_.contention().next()) {
    const auto pending = queue_.next_time();
    if (pending && *pending < due->first) return;
    queue_.schedule(due->first, Event::work_done(due->second));
    execution_.contention().pop_next();
  }
}

bool GpuModel::instant_over(Picoseconds now) {
  execution_.contention().settle(now);
  // A run begins with its first copy or its first thread: copies are no facts, but the first tells of an empty device.
  const bool begins = std::exchange(copy_begins_, false) && !is_begun_;
  // The order of events of one rank is not to be seen: who ends goes first, then by number.
  if (launch_facts_.size() > 1)
    std::sort(launch_facts_.begin(), launch_facts_.end(), [](const LaunchFact& a, const LaunchFact& b) {
      return std::tuple(b.kind, a.launch) < std::tuple(a.kind, b.launch);
    });
  if (!launch_facts_.empty())
    for (Observer* observer : observers_) observer->launches(now, launch_facts_);
  if (!facts_.empty() || begins) {
    if (!std::exchange(is_begun_, true)) waits_.start(now);
    for (Observer* observer : observers_) observer->instant(now, facts_);
  }
  const bool goes_on = !(control_.bounds.events && events_ >= *control_.bounds.events) &&
                       !(control_.bounds.time && now >= *control_.bounds.time) && !is_to_stop();
  if (goes_on && may_pass_rounds()) look_for_rounds(now);
  if (goes_on) look_for_period(now);
  if (waits_.is_on()) forget_waits();
  turn_was_taken_ = false;
  events_before_ = events_;
  facts_.clear();
  launch_facts_.clear();
  if (goes_on && hides_handovers_ && relayed_ >= next_succession_) look_for_succession();
  return goes_on;
}

void GpuModel::want_turn() {
  if (turn_is_due_) return;
  turn_is_due_ = true;
  queue_.schedule(queue_.now(), Event::dispatch_turn());
}

void GpuModel::turn() {
  turn_is_due_ = false;
  turn_was_taken_ = true;
  begin_copies();
  bool some_begin = false;
  for (const Grant& grant : dispatcher_.turn(queue_.now())) {
    LaunchRecord& record = records_[index_of(grant.launch)];
    if (!record.first_dispatched) {
      record.first_dispatched = queue_.now();
      launch_facts_.push_back({LaunchFact::Kind::begins, grant.launch});
      launch_begins(grant.launch);
      some_begin = true;
    }
    if (dispatcher_.is_fully_placed(grant.launch)) record.fully_dispatched = queue_.now();
    record.resident_time -= Int128{grant.threads} * queue_.now().count;
    const Footprint& footprint = dispatcher_.footprint(grant.launch, grant.group_threads);
    execution_.start(grant, Bytes{footprint.work_group[Pool::slm]});
  }
  if (some_begin) look_anew();
}

void GpuModel::begin_copies() {
  for (const LaunchId copy : copies_.begin()) {
    LaunchRecord& record = records_[index_of(copy)];
    record.first_dispatched = record.fully_dispatched = queue_.now();
    launch_facts_.push_back({LaunchFact::Kind::begins, copy});
    copy_begins_ = true;
  }
}

void GpuModel::end_copy(LaunchId launch) {
  copies_.ended(launch);
  end_part_of(launch);
  want_turn();
}

void GpuModel::end_threads(CohortIndex index) {
  const Cohort cohort = execution_.end_threads(index);
  const ActiveGroup& group = execution_.group(cohort.group);
  if (device_.release == Release::thread) {
    give_back(group, cohort.part);
  } else {
    const auto held = static_cast<std::size_t>(cohort.group);
    if (held_.size() <= held) held_.resize(held + 1);
    held_[held].push_back({cohort.part, queue_.now()});
  }
  if (group.ended == group.threads) end_group(cohort.group);
}

/// The contexts of threads that have ended.
void GpuModel::give_back(const ActiveGroup& group, const Part& part) {
  if (give_backs_++ != control_.faults.lost_give_back)
    bank_.cores[index_of(part.core)].give_back_threads(dispatcher_.footprint(group.launch, group.threads), part.threads,
                                                       queue_.now(), part.engines, bank_.engine_sets);
  records_[index_of(group.launch)].resident_time += Int128{part.threads} * queue_.now().count;
  facts_.push_back(execution_.fact(FactKind::given_back, group, part));
  dispatcher_.gave_back(part.core);
  want_turn();
}

/// All threads have ended: what the work-group held comes back, its contexts, too, if it kept them.
void GpuModel::end_group(GroupIndex index) {
  const ActiveGroup& group = execution_.group(index);
  if (device_.release == Release::work_group) {
    for (const Held& held : held_[static_cast<std::size_t>(index)]) {
      execution_.account_held(group, held.part, held.since);
      give_back(group, held.part);
    }
    held_[static_cast<std::size_t>(index)].clear();
  }
  const std::size_t last = facts_.size() - 1;  // the give-back of its last threads
  facts_[last].closes_group = true;
  close_on_core(group, group.core, last);
  for (const CoreId core : execution_.more_cores(index)) close_on_core(group, core, last);
  const LaunchId launch = group.launch;
  execution_.remove_group(index);
  end_part_of(launch);
}

/// What the work-group held of one core besides contexts. Told with the fact `last` if that is about this core.
void GpuModel::close_on_core(const ActiveGroup& group, CoreId core, std::size_t last) {
  bank_.cores[index_of(core)].give_back_group(dispatcher_.footprint(group.launch, group.threads));
  dispatcher_.gave_back(core);
  std::size_t fact = last;
  if (facts_[last].core != core) {
    fact = facts_.size();
    facts_.push_back(execution_.fact(FactKind::given_back, group, {core, 0, EngineSet::none}));
  }
  facts_[fact].closes_core = true;
}

/// One of the work-groups and children of the launch has ended, or its copy.
void GpuModel::end_part_of(LaunchId launch) {
  if (--parts_left_[index_of(launch)] == 0) end_launch(launch);
}

void GpuModel::end_launch(LaunchId id) {
  const Launch& launch = workload_.launches[index_of(id)];
  records_[index_of(id)].ended = queue_.now();
  launch_facts_.push_back({LaunchFact::Kind::ends, id});
  --launches_left_;
  launch_goes(id);
  if (!launch.is_copy()) dispatcher_.ended(id);
  schedule_.ended(id);
  if (!launch.parent) return;
  execution_.child_ended(id);
  end_part_of(launch.parent->launch);
}

void GpuModel::settle(Picoseconds now) {
  dispatcher_.settle_waits(now);
  for (std::size_t i = 0; i < records_.size(); ++i) {
    LaunchRecord& record = records_[i];
    if (!record.ready) continue;
    const WaitTimes& asked = dispatcher_.waited(static_cast<LaunchId>(i));
    for (std::size_t reason = 0; reason < kWaitReasonCount; ++reason)
      record.waited[reason] = record.waited[reason] + asked[reason];
    const Picoseconds booked = std::accumulate(asked.begin(), asked.end(), Picoseconds{});
    record.waited_for(WaitReason::other_launches) = record.fully_dispatched.value_or(now) - *record.ready - booked;
  }
  for (const GroupIndex index : execution_.active_groups()) {
    const ActiveGroup& group = execution_.group(index);
    const std::uint32_t back = device_.release == Release::thread ? group.ended : 0;
    records_[index_of(group.launch)].resident_time += Int128{group.placed - back} * now.count;
  }
  count_work_groups();
}

void GpuModel::count_work_groups() {
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const Launch& launch = workload_.launches[i];
    if (launch.is_copy()) continue;
    const std::uint64_t groups = workload_.kernel_of(launch).range.group_count();
    records_[i].groups_dispatched = groups - dispatcher_.undispatched(static_cast<LaunchId>(i));
    records_[i].groups_ended += groups + child_count(workload_.kernel_of(launch)) - parts_left_[i];
    // What is not left of a launch are its work-groups and its children that have ended.
    if (launch.parent && records_[i].ended) --records_[index_of(launch.parent->launch)].groups_ended;
  }
}

std::vector<CoreTimeUse> GpuModel::take_time_use() {
  for (const GroupIndex index : execution_.active_groups())
    if (static_cast<std::size_t>(index) < held_.size())
      for (const Held& held : held_[static_cast<std::size_t>(index)])
        execution_.account_held(execution_.group(index), held.part, held.since);
  return execution_.take_time_use(queue_.now());
}

}  // namespace gdsim
