#include <gdsim/run/gpu_model.hpp>

#include <algorithm>

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
      execution_(device, workload, queue, bank_.engine_sets, facts_, control.skipping),
      graph_(make_launch_graph(workload.launches)),
      records_(workload.launches.size()),
      launches_left_(workload.launches.size()),
      control_(control) {
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Launch& launch = workload.launches[i];
    predecessors_left_.push_back(launch.after.size());
    groups_left_.push_back(workload.kernel_of(launch).range.group_count());
    if (launch.after.empty()) queue_.schedule(launch.at, Event::launch_arrives(static_cast<LaunchId>(i)));
  }
}

void GpuModel::on(const GpuQueue::Batch& batch) {
  events_ += batch.events.size();
  switch (static_cast<Rank>(batch.rank)) {
    case Rank::work_done:
      for (const Event& event : batch.events) execution_.end_work(event.resource());
      return;
    case Rank::thread_ends:
      for (const Event& event : batch.events) end_threads(event.cohort());
      return;
    case Rank::step_ends:
      for (const Event& event : batch.events) execution_.end_step(event.cohort());
      return;
    case Rank::barrier_opens:
      for (const Event& event : batch.events) execution_.open_meeting(event.group(), event.meeting());
      return;
    case Rank::launch_arrives:
      for (const Event& event : batch.events) {
        records_[index_of(event.launch())].ready = queue_.now();
        dispatcher_.arrive(event.launch(), queue_.now());
      }
      want_turn();
      return;
    case Rank::dispatch_turn: turn(); return;
  }
}

/// Users of shared resources are done before anything else happens: that becomes events.
void GpuModel::before_next() {
  for (auto due = execution_.contention().next(); due; due = execution_.contention().next()) {
    const auto pending = queue_.next_time();
    if (pending && *pending < due->first) return;
    queue_.schedule(due->first, Event::work_done(due->second));
    execution_.contention().pop_next();
  }
}

bool GpuModel::instant_over(Picoseconds now) {
  execution_.contention().settle(now);
  if (!facts_.empty()) {
    for (Observer* observer : observers_) observer->instant(now, facts_);
    facts_.clear();
  }
  if (control_.bounds.events && events_ >= *control_.bounds.events) return false;
  if (control_.bounds.time && now >= *control_.bounds.time) return false;
  return control_.stop == nullptr || !control_.stop->load(std::memory_order_relaxed);
}

void GpuModel::want_turn() {
  if (turn_is_due_) return;
  turn_is_due_ = true;
  queue_.schedule(queue_.now(), Event::dispatch_turn());
}

void GpuModel::turn() {
  turn_is_due_ = false;
  for (const Grant& grant : dispatcher_.turn(queue_.now())) {
    LaunchRecord& record = records_[index_of(grant.launch)];
    if (!record.first_dispatched) record.first_dispatched = queue_.now();
    if (dispatcher_.is_fully_placed(grant.launch)) record.fully_dispatched = queue_.now();
    const Footprint& footprint = dispatcher_.footprint(grant.launch, grant.group_threads);
    execution_.start(grant, Bytes{footprint.work_group[Pool::slm]});
  }
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
  if (--groups_left_[index_of(launch)] == 0) end_launch(launch);
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

void GpuModel::end_launch(LaunchId launch) {
  records_[index_of(launch)].ended = queue_.now();
  --launches_left_;
  for (const LaunchId next : graph_.successors[index_of(launch)])
    if (--predecessors_left_[index_of(next)] == 0)
      queue_.schedule(std::max(queue_.now(), workload_.launches[index_of(next)].at), Event::launch_arrives(next));
}

std::vector<TimeUse> GpuModel::take_time_use() {
  for (const GroupIndex index : execution_.active_groups())
    if (static_cast<std::size_t>(index) < held_.size())
      for (const Held& held : held_[static_cast<std::size_t>(index)])
        execution_.account_held(execution_.group(index), held.part, held.since);
  return execution_.take_time_use(queue_.now());
}

}  // namespace gdsim
