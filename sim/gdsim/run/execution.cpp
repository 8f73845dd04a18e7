#include <gdsim/run/execution.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim {
namespace {

std::vector<ProgramPlan> make_plans(const Workload& workload, const DeviceSpec& device) {
  std::vector<ProgramPlan> plans;
  plans.reserve(workload.kernels.size());
  for (const Kernel& kernel : workload.kernels) plans.emplace_back(kernel, device);
  return plans;
}

std::size_t most_meetings(const std::vector<ProgramPlan>& plans) {
  std::size_t most = 0;
  for (const ProgramPlan& plan : plans) most = std::max(most, plan.meetings());
  return most;
}

}  // namespace

Execution::Execution(const DeviceSpec& device, const Workload& workload, GpuQueue& queue, EngineSets& engine_sets,
                     std::vector<Fact>& facts, WaitLog& waits, Skipping skipping)
    : workload_(workload),
      queue_(queue),
      engine_sets_(engine_sets),
      facts_(facts),
      waits_(waits),
      skipping_(skipping),
      engines_per_core_(device.engines_per_core),
      plans_(make_plans(workload, device)),
      draws_(make_factor_draws(workload)),
      contention_(device, workload, plans_),
      meetings_(most_meetings(plans_)),
      filling_(device.cores),
      groups_on_(device.cores, 0),
      lone_(device.cores),
      children_(workload),
      ledger_(device.cores, workload.kernels.size()) {}

Fact Execution::fact(FactKind kind, const ActiveGroup& group, const Part& part) const {
  Fact fact;
  fact.kind = kind;
  fact.core = part.core;
  fact.threads = part.threads;
  fact.launch = group.launch;
  fact.work_group = group.number;
  fact.slm = group.slm;
  return fact;
}

void Execution::start(const Grant& grant, Bytes slm) {
  if (grant.opens_core) {
    stop_passing(grant.core);
    ++groups_on_[index_of(grant.core)];
  }
  GroupIndex& filling = filling_[index_of(grant.core)];
  if (grant.opens_group) opened_ = open_group(grant, slm);
  if (grant.opens_core) filling = opened_;
  if (grant.opens_core && !grant.opens_group) add_core(opened_, grant.core);
  ++comings_and_goings_;
  ActiveGroup& group = groups_[filling];
  GDSIM_CHECK(group.number == grant.work_group && group.launch == grant.launch,
              "a grant is for another work-group than the one that its core fills");
  const std::uint32_t first_thread = group.placed;
  group.placed += grant.threads;
  const Part part{grant.core, grant.threads, grant.engines};
  count_on_engines(filling, part, Motion::come);
  Fact placed = fact(FactKind::placed, group, part);
  placed.opens_core = grant.opens_core;
  placed.opens_group = grant.opens_group;
  placed.fills_group = grant.fills_group;
  facts_.push_back(placed);
  enter_program(filling, part, first_thread);
}

GroupIndex Execution::open_group(const Grant& grant, Bytes slm) {
  ActiveGroup opened;
  opened.launch = grant.launch;
  opened.kernel = workload_.launches[index_of(grant.launch)].kernel;
  opened.number = grant.work_group;
  opened.core = grant.core;
  opened.threads = grant.group_threads;
  opened.slm = slm;
  const GroupIndex index = groups_.add(opened);
  meetings_.open_group(index);
  prepare_group(index);
  ++active_;
  return index;
}

/// Threads of it have come to their engines, or leave them: only who goes through rounds wants to know.
void Execution::count_on_engines(GroupIndex group, const Part& part, Motion motion) {
  if (part.engines == EngineSet::none || !plan_of(groups_[group]).has_loop()) return;
  const std::uint32_t pools = contention_.issue_pools();
  const std::size_t first = static_cast<std::size_t>(group) * pools;
  if (on_engines_.size() < first + pools) on_engines_.resize(first + pools, 0);
  for (std::uint32_t pool = 0; pool < pools; ++pool) {
    const std::uint32_t threads = threads_on(part, pool);
    on_engines_[first + pool] += motion == Motion::come ? threads : 0U - threads;
  }
}

/// What a work-group begins with that follows from its number.
void Execution::prepare_group(GroupIndex index) {
  ActiveGroup& group = groups_[index];
  const ProgramPlan& plan = plan_of(group);
  group.amounts = plan.amounts(group.number);
  const auto& draw = draws_[index_of(group.kernel)];
  if (draw && draw->per == DrawPer::work_group)
    group.factor = plan.is_declared(group.number) ? kNoFactor : draw->factor({group.launch, group.number, 0});
  for (std::uint32_t i = 0; i < plan.meetings(); ++i) {
    meetings_.of(index, i) = Meeting();
    meetings_.of(index, i).participants = plan.participants(i, group.threads);
  }
  contention_.work_group_opens(group.kernel);
}

void Execution::add_core(GroupIndex group, CoreId core) {
  const auto index = static_cast<std::size_t>(group);
  if (more_cores_.size() <= index) more_cores_.resize(index + 1);
  more_cores_[index].push_back(core);
}

/// Follows the program until something takes time or has to be waited for.
void Execution::enter(Cohort& cohort) {
  const ProgramPlan& plan = plan_of(groups_[cohort.group]);
  while (true) {
    const Op& op = plan.op(cohort.at);
    if (op.kind == OpKind::loop_end) {
      std::uint64_t& rounds = cohort.rounds[op.depth];
      const bool is_over = ++rounds == op.count;
      if (!is_over && skipping_ == Skipping::yes) {
        if (skip_rounds(cohort, op, op.count - rounds)) return;
        come_to_loop_head(cohort, op);
      }
      if (is_over) {
        rounds = 0;
        leave_loop(cohort, op);
      }
      cohort.at = is_over ? cohort.at + 1 : op.target;
    } else if (op.kind == OpKind::signal) {
      come(cohort, op);
      ++cohort.at;
    } else if (op.kind == OpKind::barrier || op.kind == OpKind::wait || op.kind == OpKind::launch) {
      if (op.kind == OpKind::launch) come_to_child(cohort, op);
      if (must_wait(cohort, op)) {
        wait(cohort, op);
        if (op.kind == OpKind::barrier) come(cohort, op);
        return;
      }
      ++cohort.at;
    } else {
      cohort.since = queue_.now();
      begin(cohort, op, cohort.since);
      return;
    }
  }
}

/// The op begins at `at`, now or, if it was passed over, before.
void Execution::begin(const Cohort& cohort, const Op& op, Picoseconds at) {
  if (op.kind == OpKind::issue) {
    begin_issue(cohort, amount(cohort), at);
    return;
  }
  const CohortIndex index = cohorts_.add(cohort);
  if (op.kind == OpKind::end) {
    queue_.schedule(at, Event::threads_end(index));
  } else if (op.kind == OpKind::slm) {
    contention_.use_slm(at, cohort.part.core, index, cohort.part.threads, amount(cohort));
  } else if (op.kind == OpKind::memory) {
    contention_.use_memory(at, cohort.part.core, groups_[cohort.group].kernel, cohort.at, index, cohort.part.threads,
                           amount(cohort));
  } else {
    queue_.schedule(at + Picoseconds{amount(cohort)},
                    ends_after(cohort) ? Event::threads_end(index) : Event::step_ends(index));
  }
}

/// On each engine, or engines that share their slots, the cohort's threads there become a cohort of their own.
void Execution::begin_issue(const Cohort& cohort, std::int64_t work, Picoseconds at) {
  const std::uint32_t fused = contention_.fused_engines();
  for (std::uint32_t pool = 0; pool < contention_.issue_pools(); ++pool) {
    const std::uint32_t first = pool * fused;
    const std::uint32_t end = std::min(first + fused, engines_per_core_);
    Cohort some = cohort;
    some.part.engines = engine_sets_.take(cohort.part.engines, first, end);
    if (some.part.engines == EngineSet::none) continue;
    some.part.threads = engine_sets_.count(some.part.engines);
    contention_.use_issue(at, some.part.core, pool, cohorts_.add(some), some.part.threads, work);
  }
  engine_sets_.remove(cohort.part.engines);
}

/// The next thing that the threads would come to is their end.
bool Execution::ends_after(const Cohort& cohort) const {
  const ProgramPlan& plan = plan_of(groups_[cohort.group]);
  std::uint32_t next = cohort.at + 1;
  while (plan.op(next).kind == OpKind::loop_end && cohort.rounds[plan.op(next).depth] + 1 == plan.op(next).count)
    ++next;
  return plan.op(next).kind == OpKind::end;
}

std::int64_t Execution::amount_of(const Cohort& cohort, std::uint32_t op) const {
  return scaled(groups_[cohort.group].amounts[op], cohort.factor);
}

void Execution::end_work(std::uint32_t resource) {
  for (const Served& served : contention_.take_served(resource, queue_.now())) {
    Cohort& cohort = cohorts_[served.cohort];
    const bool is_memory = plan_of(groups_[cohort.group]).op(cohort.at).kind == OpKind::memory;
    account_work(cohort, is_memory ? served.executing : amount(cohort), served.limit);
    cohort.since = queue_.now();  // the rest of its time in this op is none
    queue_.schedule(queue_.now(),
                    ends_after(cohort) ? Event::threads_end(served.cohort) : Event::step_ends(served.cohort));
  }
}

/// Threads arrive at a meeting; the phases that are complete with them end at once, or after the barrier's cost.
void Execution::come(Cohort& cohort, const Op& op) {
  const ActiveGroup& group = groups_[cohort.group];
  const std::uint64_t phases =
      meetings_.of(cohort.group, op.meeting).arrive(number_of_meeting(cohort, op), cohort.part.threads);
  const Picoseconds cost =
      op.kind == OpKind::barrier && phases > 0 ? plan_of(group).barrier_cost(group.threads) : Picoseconds{};
  for (std::uint64_t i = 0; i < phases; ++i)
    queue_.schedule(queue_.now() + cost, Event::barrier_opens(cohort.group, op.meeting));
}

/// At a barrier or a wait, for the phase of its number; at a child, for its end.
bool Execution::must_wait(Cohort& cohort, const Op& op) {
  if (op.kind == OpKind::launch) {
    cohort.phase = 1;
    return op.awaits_child && meetings_.of(cohort.group, op.meeting).open == 0;
  }
  const Meeting& meeting = meetings_.of(cohort.group, op.meeting);
  cohort.phase = number_of_meeting(cohort, op);
  return cohort.phase > meeting.open;
}

/// How often these threads come to the meeting with this step, or wait at it, this time included.
std::uint64_t Execution::number_of_meeting(const Cohort& cohort, const Op& op) const {
  std::uint64_t before = op.before;
  for (std::size_t depth = 0; depth < kMostLoops; ++depth) before += cohort.rounds[depth] * op.per_round[depth];
  return before + 1;
}

void Execution::wait(const Cohort& cohort, const Op& op) {
  facts_.push_back(fact(FactKind::waiting, groups_[cohort.group], cohort.part));
  CohortIndex& first = meetings_.of(cohort.group, op.meeting).waiting;
  Cohort waiting = cohort;
  waiting.since = queue_.now();
  waiting.next = first;
  first = cohorts_.add(waiting);
}

void Execution::open_meeting(GroupIndex index, std::uint32_t number) {
  const ActiveGroup& group = groups_[index];
  Meeting& meeting = meetings_.of(index, number);
  ++meeting.open;
  going_on_.clear();
  const TimeKind waited = plan_of(group).is_of_child(number) ? TimeKind::child : TimeKind::barrier;
  CohortIndex left = kNoCohort;
  for (CohortIndex at = meeting.waiting; at != kNoCohort;) {
    Cohort& cohort = cohorts_[at];
    const CohortIndex next = cohort.next;
    if (cohort.phase > meeting.open) {
      cohort.next = left;
      left = at;
    } else {
      ledger_.book(cohort.part.core, group.kernel, waited, cohort.part.threads, (queue_.now() - cohort.since).count);
      log_wait(cohort.since, (queue_.now() - cohort.since).count, cohort.part.threads, column_of(waited));
      const auto alike =
          std::find_if(going_on_.begin(), going_on_.end(), [&](const Cohort& other) { return cohort.is_alike(other); });
      if (alike == going_on_.end()) {
        going_on_.push_back(cohort);
      } else {
        merge(*alike, cohort);
      }
      remove_cohort(at);
    }
    at = next;
  }
  meeting.waiting = left;
  // Entering may come to this meeting again, but opens it only at a later event.
  for (std::size_t i = 0; i < going_on_.size(); ++i) {
    Cohort cohort = going_on_[i];
    facts_.push_back(fact(FactKind::resumed, group, cohort.part));
    ++cohort.at;
    enter(cohort);
  }
}

Cohort Execution::end_threads(CohortIndex index) {
  const Cohort cohort = cohorts_[index];
  ActiveGroup& group = groups_[cohort.group];
  account_work(cohort, (queue_.now() - cohort.since).count);
  remove_cohort(index);
  count_on_engines(cohort.group, cohort.part, Motion::leave);
  group.ended += cohort.part.threads;
  ++comings_and_goings_;
  facts_.push_back(fact(FactKind::ended, group, cohort.part));
  return cohort;
}

void Execution::account_work(const Cohort& cohort, std::int64_t executing, MemoryLimit limit) {
  const ActiveGroup& group = groups_[cohort.group];
  const std::int64_t all = (queue_.now() - cohort.since).count;
  if (all <= 0) return;
  const OpKind op = plan_of(group).op(cohort.at).kind;
  ledger_.book_work(cohort.part.core, group.kernel, op, cohort.part.threads, all, executing);
  log_wait(cohort.since, all - executing, cohort.part.threads, TimeLedger::wait_column(op, limit));
}

/// Of threads that have waited since then, all of that time or a part of it.
void Execution::log_wait(Picoseconds since, std::int64_t waited, std::uint32_t threads, WaitColumn column) {
  if (waited > 0 && waits_.is_on()) waits_.add({since, queue_.now(), waited, threads, column, 0, {}});
}

void Execution::account_held(const ActiveGroup& group, const Part& part, Picoseconds since) {
  ledger_.book(part.core, group.kernel, TimeKind::held, part.threads, (queue_.now() - since).count);
  log_wait(since, (queue_.now() - since).count, part.threads, column_of(TimeKind::held));
}

void Execution::remove_group(GroupIndex index) {
  contention_.work_group_closes(groups_[index].kernel);
  --active_;
  --groups_on_[index_of(groups_[index].core)];
  for (const CoreId core : more_cores(index)) --groups_on_[index_of(core)];
  groups_[index].threads = 0;
  if (const auto i = static_cast<std::size_t>(index); i < more_cores_.size()) more_cores_[i].clear();
  groups_.remove(index);
}

/// The removed one is told from the living by having no threads.
void Execution::remove_cohort(CohortIndex index) {
  cohorts_[index].part.threads = 0;
  cohorts_.remove(index);
}

}  // namespace gdsim
