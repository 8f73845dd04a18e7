#include <gdsim/fast_forward/known_ends.hpp>

#include <gdsim/dispatch/turn/reused_slots.hpp>
#include <gdsim/model/fast_forward_port/suspension.hpp>
#include <gdsim/model/lifecycle/end_of_work.hpp>
#include <gdsim/model/steps/operation.hpp>
#include <gdsim/model/walk.hpp>
#include <gdsim/program/known_path.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// The latest time there is, picoseconds.
constexpr std::uint64_t kLatest = kTimeOverflow / 2;

bool only_computes(const ProgramPlan& plan) {
  for (std::uint32_t i = 0; i < plan.size(); ++i)
    if (plan.op(i).kind != OpKind::compute && plan.op(i).kind != OpKind::end) return false;
  return has_known_path(plan);
}

KnownPath path_of(const ResidentGroup& group, DrawnFactor factor) { return {*group.plan, group.amounts, factor}; }

std::uint64_t picoseconds(SimTime time) { return static_cast<std::uint64_t>(time.count); }

}  // namespace

KnownEnds::KnownEnds(Model& model, FastForwardSink& sink, SimTime bound)
    : model_(model), state_(model.state()), sink_(sink), bound_(bound), ends_(0) {
  const bool may_renew = sink.hides_instants() && state_.dispatcher.state().traits.allow_slot_reuse() &&
                         state_.bank.cores.front().has_interchangeable_slots();
  for (std::size_t i = 0; i < state_.workload.kernels.size(); ++i) {
    const auto kernel = static_cast<KernelId>(i);
    const auto threads = static_cast<std::uint32_t>(state_.workload.kernels[i].threads_of(WorkGroupId{0}));
    const bool is_left_to_renewal = may_renew && !state_.workload.kernels[i].differs_by_group() &&
                                    !state_.programs.draws_by_thread(kernel, threads);
    const auto plans = state_.programs.plans().all(kernel);
    is_known_.push_back(state_.programs.draw_of(kernel).has_value() && !is_left_to_renewal &&
                        std::all_of(plans.begin(), plans.end(), only_computes));
    is_any_known_ = is_any_known_ || is_known_.back();
  }
}

void KnownEnds::on_instant_end() {
  if (!is_any_known_ || !state_.turn_was_taken) return;
  // An attempt costs as much as some turns for each event that is pending.
  const std::uint64_t few = std::max({kFewTurns, state_.residents.count() / 4, pending_ / 4});
  if (!attempts_.are_due(state_.launches.changes(), few)) return;
  take_over();
  advance();
  hand_back();
  if (ended_ > 0 && ended_ >= 2 * pending_) attempts_.succeeded();
}

/// Cohorts whose ends are known are taken out of the model, with their events.
void KnownEnds::take_over() {
  std::vector<CohortIndex> cohorts;
  std::vector<std::uint64_t> ends;
  pending_ = 0;
  state_.events.visit_pending([&](SimTime time, const Event& event) {
    ++pending_;
    if (!event.is_of_cohort()) return;
    const Cohort& cohort = state_.cohorts[event.cohort()];
    const ResidentGroup& group = state_.residents[cohort.group];
    if (!is_known(group.kernel)) return;
    const KnownPath path = path_of(group, cohort.factor);
    const std::uint64_t end = saturating_add(picoseconds(time), path.time_behind(cohort.at));
    if (end > kLatest) return;
    const auto before = static_cast<std::int64_t>(path.time_before(cohort.at));
    running_.add(
        {cohort.group, cohort.part, cohort.since - Duration{before}, cohort.since, cohort.factor, cohort.first_thread});
    ends.push_back(end);
    cohorts.push_back(event.cohort());
  });
  ended_ = 0;
  // Not for all contexts: of a large device, few may be used.
  max_running_ = std::min<std::uint64_t>(state_.device.contexts_total(), 2 * ends.size() + 1'024);
  ends_ = HorizonQueue(static_cast<std::uint32_t>(max_running_));
  for (std::uint32_t i = 0; i < ends.size(); ++i) ends_.put(ends[i], i);
  suspend(state_, cohorts);
  for (const CohortIndex cohort : cohorts) state_.cohorts.remove(cohort);
}

/// Until a launch comes, begins or goes: then others look again at what may be fast-forwarded.
void KnownEnds::advance() {
  const std::uint64_t changes = state_.launches.changes();
  while (!ends_.empty() && changes == state_.launches.changes()) {
    const auto pending = model_.next_time();
    const std::uint64_t event = pending ? picoseconds(*pending) : kTimeOverflow;
    const auto end = ends_.first_up_to(event);
    const std::uint64_t now = end ? end->time : event;
    if (now >= picoseconds(bound_)) return;
    if (now == event) {
      model_.begin_instant();
    } else {
      model_.begin_instant_at(SimTime{static_cast<std::int64_t>(now)});
    }
    if (end) {
      end_first();
      while (ends_.has_more_at(now)) end_first();
    }
    finish_instant();
    model_.end_instant();
    sink_.report();
    if (sink_.stop_requested() || needs_more_room()) return;
  }
}

/// The first to end do so now.
void KnownEnds::end_first() {
  const RunningIndex index{ends_.first().member};
  ends_.pop();
  const Running& running = running_[index];
  const KernelId kernel = state_.residents[running.group].kernel;
  state_.time_use.book(running.part.core, kernel, TimeKind::executing, running.part.threads,
                       (state_.now() - running.booked_until).count);
  end_threads(state_, running.group, running.part);
  running_.remove(index);
  ++ended_;
}

/// All else that is due happens: most often a dispatch turn.
void KnownEnds::finish_instant() {
  const std::uint64_t before = model_.events();
  for (std::uint64_t turns = 0; !state_.events.instant_is_over(); ++turns) {
    if (sink_.gives_up(model_.events() - before + turns)) return;
    const GpuQueue::Batch due = state_.events.pop_rank();
    if (due.rank != static_cast<std::size_t>(Rank::dispatch_turn)) {
      model_.handle(due);
    } else if (state_.dispatcher.turn_changes_nothing() && !state_.copies.has_waiting()) {
      state_.turn_is_due = false;
    } else {
      model_.handle_turn([this](const Grant& grant) { start(grant); });
    }
  }
}

void KnownEnds::start(const Grant& grant) {
  Cohort threads = make_resident(state_, grant);
  const ResidentGroup& group = state_.residents[threads.group];
  if (!is_known(group.kernel)) return enter_program(state_, threads);
  if (!state_.programs.draws_by_thread(group)) return start_together(threads, group);
  factors_.resize(grant.threads);
  state_.programs.draw_factors(group, threads.first_thread, factors_);
  const EngineSet engines = threads.part.engines;
  threads.part.threads = 1;
  for (std::uint32_t i = 0; i < grant.threads; ++i, ++threads.first_thread) {
    threads.factor = factors_[i];
    threads.part.engines = i + 1 < grant.threads ? state_.cohorts.engine_sets().deal(engines, 1) : engines;
    start_together(threads, group);
  }
}

void KnownEnds::start_together(const Cohort& threads, const ResidentGroup& group) {
  const SimTime now = state_.now();
  const std::uint64_t end = saturating_add(picoseconds(now), path_of(group, threads.factor).duration());
  // Else they end by an event, or the model refuses their times.
  if (end > kLatest || is_full()) return walk(state_, state_.cohorts.add(threads));
  const RunningIndex index =
      running_.add({threads.group, threads.part, now, now, threads.factor, threads.first_thread});
  ends_.put(end, static_cast<std::uint32_t>(index));
}

void KnownEnds::hand_back() {
  ends_.visit([this](const HorizonQueue::Entry& end) { continue_as_cohort(running_[RunningIndex{end.member}]); });
  ends_ = HorizonQueue(0);
  running_ = {};
}

/// From where they are now in their program, by events.
void KnownEnds::continue_as_cohort(const Running& running) {
  const ResidentGroup& group = state_.residents[running.group];
  Cohort cohort;
  cohort.group = running.group;
  cohort.part = running.part;
  cohort.factor = running.factor;
  cohort.first_thread = running.first_thread;
  // If this instant is not over, what ends now has not ended yet.
  const SimTime passed = state_.events.instant_is_over() ? state_.now() : state_.now() - Duration{1};
  const SimTime end = stand_at(cohort, path_of(group, running.factor), running.program_start, passed);
  state_.time_use.book(running.part.core, group.kernel, TimeKind::executing, running.part.threads,
                       (cohort.since - running.booked_until).count);
  schedule_step_end(state_, state_.cohorts.add(cohort), end);
}

}  // namespace gdsim
