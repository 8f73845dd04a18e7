#include <gdsim/leap/known_ends.hpp>

#include <gdsim/dispatch/reused_slots.hpp>
#include <gdsim/leap/group_durations.hpp>
#include <gdsim/model/end_of_work.hpp>
#include <gdsim/model/operation.hpp>
#include <gdsim/model/suspension.hpp>
#include <gdsim/model/walk.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Turns before the first try.
constexpr std::uint64_t kTurnsBefore = 16;

/// So many instants, before others look again whether the run is to stop.
constexpr std::uint64_t kInstantsAtOnce = 1'024;

bool only_computes(const ProgramPlan& plan) {
  for (std::uint32_t i = 0; i < plan.size(); ++i)
    if (plan.op(i).kind != OpKind::compute && plan.op(i).kind != OpKind::end) return false;
  return has_known_duration(plan);
}

}  // namespace

KnownEnds::KnownEnds(Model& model, LeapSink& sink, SimTime bound, bool renews)
    : model_(model), state_(model.state()), sink_(sink), bound_(bound), ends_(0) {
  const bool may_renew = renews && may_only_reuse_slots(state_.dispatcher.state()) &&
                         state_.bank.cores.front().has_interchangeable_slots();
  for (std::size_t i = 0; i < state_.workload.kernels.size(); ++i) {
    const auto kernel = static_cast<KernelId>(i);
    const auto threads = static_cast<std::uint32_t>(state_.workload.kernels[i].threads_of(WorkGroupId{0}));
    const bool is_left_to_renewal = may_renew && !state_.programs.draws_by_thread(kernel, threads);
    // Without a draw, the state of the device recurs.
    is_known_.push_back(state_.programs.draw_of(kernel).has_value() && !is_left_to_renewal &&
                        only_computes(state_.programs.plan_of(kernel)));
    is_any_known_ = is_any_known_ || is_known_.back();
  }
}

void KnownEnds::on_instant_end() {
  if (!is_any_known_ || !state_.turn_was_taken || ++turns_ < next_try_) return;
  turns_ = 0;
  if (changes_ != state_.launches.changes()) {
    changes_ = state_.launches.changes();
    next_try_ = kTurnsBefore;
    return;
  }
  take_over();
  const std::uint64_t taken = running_.count();
  advance();
  hand_back();
  const bool was_worth_it = taken > 0 && ended_ >= 2 * taken;
  next_try_ = was_worth_it ? 1 : 2 * next_try_;
}

/// The cohorts of known ends, and their events, are taken out of the model.
void KnownEnds::take_over() {
  std::vector<CohortIndex> cohorts;
  std::vector<std::uint64_t> ends;
  state_.events.visit_pending([&](SimTime time, const Event& event) {
    if (!event.is_of_cohort()) return;
    const Cohort& cohort = state_.cohorts[event.cohort()];
    const ResidentGroup& group = state_.residents[cohort.group];
    if (!is_known(group.kernel)) return;
    auto begin = static_cast<std::uint64_t>(cohort.since.count);
    auto end = static_cast<std::uint64_t>(time.count);
    for (std::uint32_t op = 0; group.plan->op(op).kind != OpKind::end; ++op) {
      const std::uint64_t amount = saturating_scale(group.amounts[op], cohort.factor);
      if (op < cohort.at) begin -= amount;
      if (op > cohort.at) end = saturating_add(end, amount);
    }
    if (end > kTimeOverflow / 2) return;
    running_.add({cohort.group, cohort.part, SimTime{static_cast<std::int64_t>(begin)}, cohort.since, cohort.factor,
                  cohort.first_thread});
    ends.push_back(end);
    cohorts.push_back(event.cohort());
  });
  ended_ = 0;
  // Room for more: but a device may have many more contexts than are ever used.
  capacity_ = std::min<std::uint64_t>(state_.device.contexts_total(), 2 * ends.size() + 1'024);
  ends_ = HorizonQueue(static_cast<std::uint32_t>(capacity_));
  for (std::uint32_t i = 0; i < ends.size(); ++i) ends_.put(ends[i], i);
  suspend(state_, cohorts);
  for (const CohortIndex cohort : cohorts) state_.cohorts.remove(cohort);
}

/// Until a launch comes, begins or goes: then others look again at what may be fast-forwarded.
void KnownEnds::advance() {
  const auto bound = static_cast<std::uint64_t>(bound_.count);
  const std::uint64_t changes = state_.launches.changes();
  for (std::uint64_t instants = 1; !ends_.empty() && changes == state_.launches.changes(); ++instants) {
    if (instants % kInstantsAtOnce == 0 && sink_.stop_requested()) return;
    const auto pending = model_.next_time();
    const std::uint64_t event = pending ? static_cast<std::uint64_t>(pending->count) : kTimeOverflow;
    const auto end = ends_.first_until(event);
    const std::uint64_t at = end ? end->time : event;
    if (at >= bound) return;
    if (at == event) {
      model_.begin_instant();
    } else {
      model_.begin_instant_at(SimTime{static_cast<std::int64_t>(at)});
    }
    // Of what is due, only recoveries come before ends.
    if (state_.events.due_rank() == static_cast<std::size_t>(Rank::recovers)) model_.handle(state_.events.pop_rank());
    if (end) {
      end_threads(RunningIndex{end->member});
      while (ends_.has_more_at(at)) end_threads(RunningIndex{ends_.first().member});
    }
    const bool is_over = finish_instant();
    model_.end_instant();
    sink_.report();
    if (!is_over) return;
  }
}

/// All else that is due: most often a dispatch turn. False if the run is to stop amid that.
bool KnownEnds::finish_instant() {
  const std::uint64_t before = model_.events();
  while (!state_.events.instant_is_over() && !sink_.gives_up(model_.events() - before)) {
    const GpuQueue::Batch due = state_.events.pop_rank();
    if (due.rank != static_cast<std::size_t>(Rank::dispatch_turn)) {
      model_.handle(due);
    } else if (state_.dispatcher.turn_does_nothing() && !state_.copies.has_waiting()) {
      state_.turn_is_due = false;
    } else {
      model_.handle_turn([this](const Grant& grant) { start(grant); });
    }
  }
  return state_.events.instant_is_over();
}

void KnownEnds::end_threads(RunningIndex index) {
  ends_.pop();
  const Running& running = running_[index];
  const KernelId kernel = state_.residents[running.group].kernel;
  state_.time_use.book(running.part.core, kernel, TimeKind::executing, running.part.threads,
                       (state_.now() - running.booked).count);
  gdsim::end_threads(state_, running.group, running.part);
  running_.remove(index);
  ++ended_;
}

void KnownEnds::start(const Grant& grant) {
  Cohort threads = make_resident(state_, grant);
  const ResidentGroup& group = state_.residents[threads.group];
  if (!is_known(group.kernel)) return enter_program(state_, threads);
  if (!state_.programs.draws_by_thread(group)) return start(threads, group);
  const EngineSet engines = threads.part.engines;
  const auto factors = state_.programs.factors_from(group, threads.first_thread, grant.threads);
  threads.part.threads = 1;
  for (std::uint32_t i = 0; i < grant.threads; ++i, ++threads.first_thread) {
    threads.factor =
        factors.empty() ? state_.programs.factor_of_thread(group, threads.first_thread) : DrawnFactor{factors[i]};
    threads.part.engines = i + 1 < grant.threads ? state_.cohorts.engine_sets().deal(engines, 1) : engines;
    start(threads, group);
  }
}

/// These threads end together.
void KnownEnds::start(const Cohort& threads, const ResidentGroup& group) {
  const ProgramPlan& plan = *group.plan;
  auto end = static_cast<std::uint64_t>(state_.now().count);
  for (std::uint32_t op = 0; plan.op(op).kind != OpKind::end; ++op)
    end = saturating_add(end, saturating_scale(group.amounts[op], threads.factor));
  if (end > kTimeOverflow / 2 || running_.count() == capacity_) return walk(state_, state_.cohorts.add(threads));
  const RunningIndex index =
      running_.add({threads.group, threads.part, state_.now(), state_.now(), threads.factor, threads.first_thread});
  ends_.put(end, static_cast<std::uint32_t>(index));
}

void KnownEnds::hand_back() {
  ends_.visit([this](const HorizonQueue::Entry& end) { hand_back(running_[RunningIndex{end.member}]); });
  ends_ = HorizonQueue(0);
  running_ = {};
}

/// The threads are a cohort again, where they are now in their program.
void KnownEnds::hand_back(const Running& running) {
  const ResidentGroup& group = state_.residents[running.group];
  Cohort cohort;
  cohort.group = running.group;
  cohort.part = running.part;
  cohort.factor = running.factor;
  cohort.first_thread = running.first_thread;
  cohort.since = running.begin;
  // If this instant is not over, what ends now has not ended yet.
  const SimTime passed = state_.events.instant_is_over() ? state_.now() : state_.now() - Duration{1};
  SimTime end = cohort.since + Duration{Programs::amount(group, cohort, 0)};
  while (end <= passed) {
    cohort.since = end;
    ++cohort.at;
    end = cohort.since + Duration{Programs::amount(group, cohort, cohort.at)};
  }
  state_.time_use.book(running.part.core, group.kernel, TimeKind::executing, running.part.threads,
                       (cohort.since - running.booked).count);
  schedule_step_end(state_, state_.cohorts.add(cohort), end);
}

}  // namespace gdsim
