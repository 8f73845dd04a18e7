#pragma once

#include <gdsim/model/step_state.hpp>
#include <gdsim/record/time_use.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

namespace gdsim {

/// Says whether threads that reach an op continue at once.
enum class Progress : std::uint8_t { continues, stays };

/// The part of its time in an op during which a cohort executes.
enum class Executing : std::uint8_t {
  always,     ///< all of it
  by_work,    ///< the part of its work that a shared resource has served
  by_works,   ///< the longest of several works, each served by its own shared resource
  by_rate,    ///< the time it would need without contention for the memory, and the time after it was served
  by_load,    ///< the time that the awaited asynchronous load would need without contention
  never,      ///< none: it waits
  no_threads  ///< none: the cohort represents an asynchronous load, whose threads continue as other cohorts
};

/// A kind of operation: a struct in `operations.hpp`, with one line in its catalog.
///
/// - `enter`: is called when the cohort has reached the op. Either it advances the cohort's `at` and the cohort
///   continues, or the cohort stays. Then an event must advance it later, or other cohorts with its threads.
/// - `waiting`: the kind of the time in the op during which the cohort does not execute.
/// - `executing`: the part of the time in the op during which it executes, if a run ends in the middle of the op.
template <class T>
concept Operation = requires(StepState& state, CohortIndex index, const Op& op) {
  { T::enter(state, index, op) } -> std::same_as<Progress>;
  requires std::same_as<decltype(T::waiting), const Activity>;
  requires std::same_as<decltype(T::executing), const Executing>;
};

/// Returns the threads' next tile after `taken` tiles of a list whose tiles are assigned by number, or nullopt.
inline std::optional<std::uint64_t> next_by_number(const StepState& state, const Cohort& cohort, const TileStep& step,
                                                   std::uint64_t taken) {
  const ResidentGroup& group = state.residents[cohort.group];
  const std::uint64_t groups = state.kernel_of(group.launch).range.group_count();
  const std::uint64_t number = number_of(group.number);
  if (step.per == TileTaker::work_group) return step.next_by_number(number, groups, taken);
  return step.next_by_number(number * group.threads + cohort.first_thread, groups * group.threads, taken);
}

/// Returns the op that the cohort executes.
inline const Op& op_of(const StepState& state, const Cohort& cohort) {
  return state.programs.plan_of(state.residents[cohort.group]).op(cohort.op);
}

/// Begins a step of the cohort that takes time.
inline void begin_step(const StepState& state, Cohort& cohort) { cohort.since = state.now(); }

/// Returns each thread's amount of this op under the device's clock with this number.
inline std::int64_t amount_under(const StepState& state, std::size_t clock, const Cohort& cohort, std::uint32_t op) {
  return Programs::amount_under(clock, state.residents[cohort.group], cohort, op);
}
/// Returns each thread's amount of the cohort's current op under the device's clock with this number.
inline std::int64_t amount_under(const StepState& state, std::size_t clock, const Cohort& cohort) {
  return amount_under(state, clock, cohort, cohort.op);
}
/// Returns each thread's amount of this op under the current clock.
inline std::int64_t amount_of(const StepState& state, const Cohort& cohort, std::uint32_t op) {
  if (state.clocks.changes()) return amount_under(state, state.clocks.number_at(state.now()), cohort, op);
  return Programs::amount(state.residents[cohort.group], cohort, op);
}
/// Returns each thread's amount of the cohort's current op under the current clock.
inline std::int64_t amount_of(const StepState& state, const Cohort& cohort) {
  return amount_of(state, cohort, cohort.op);
}
/// Begins the cohort's only work on a shared resource in this step. Returns each thread's amount of it.
inline std::int64_t begin_work(const StepState& state, Cohort& cohort) {
  begin_step(state, cohort);
  return cohort.work = amount_of(state, cohort);
}
/// Returns the end of the cohort's current op if it is a time that begins at `begin` and only the clock affects it.
inline SimTime end_of_amount(const StepState& state, const Cohort& cohort, SimTime begin) {
  if (!state.clocks.changes()) return begin + Duration{amount_of(state, cohort)};
  return state.clocks.end(begin, [&](std::size_t clock) { return Duration{amount_under(state, clock, cohort)}; });
}
/// Returns the end of a cost that begins now and that no factor changes: that of taking a tile, or of a grid barrier.
inline SimTime end_of_constant_cost(const StepState& state, const Cohort& cohort) {
  const ProgramPlan& plan = state.programs.plan_of(state.residents[cohort.group]);
  return state.clocks.end(state.now(),
                          [&](std::size_t clock) { return Duration{plan.amount_without_factors(cohort.op, clock)}; });
}

/// Follows the ends of loops and tiles after the threads' current op. Returns true if they then end, false if that
/// depends on a list whose tiles are not assigned by number.
[[gnu::noinline]] inline bool ends_after_loops(const StepState& state, const Cohort& cohort) {
  const ProgramPlan& plan = state.programs.plan_of(state.residents[cohort.group]);
  std::uint32_t next = cohort.op + 1;
  std::uint64_t taken = cohort.tiles.taken;
  for (;;) {
    const Op& op = plan.op(next);
    if (op.kind == OpCode::loop_end && cohort.iterations[op.depth] + 1 == op.count) {
      ++next;
    } else if (op.kind == OpCode::tile_end) {
      next = op.target;
    } else if (op.kind == OpCode::take_tile && plan.tile_step(op).take == TileTake::by_number) {
      const TileStep& step = plan.tile_step(op);
      const auto tile = next_by_number(state, cohort, step, taken);
      next = tile ? step.first_ops[step.body_of(*tile)] : step.leave_op + 1;
      taken = tile ? taken + 1 : 0;
      if (tile && plan.amount_without_factors(next) > 0) return false;
      if (tile) ++next;
    } else {
      return op.kind == OpCode::end;
    }
  }
}

/// Returns true if the threads end after their current op. Returns false if that depends on a list whose tiles are not
/// assigned by number.
inline bool ends_after(const StepState& state, const Cohort& cohort, const Op& op) {
  return op.after == AfterOp::depends ? ends_after_loops(state, cohort) : op.after == AfterOp::end;
}

/// Schedules the end of the cohort's step, which is this op, at `at`, and that of its threads if they end after it.
inline void schedule_step_end(StepState& state, CohortIndex index, const Op& op, SimTime at) {
  const bool is_last = ends_after(state, state.cohorts[index], op);
  state.events.schedule(at, is_last ? Event::threads_end(index) : Event::step_ends(index));
}

/// Returns the number, from 1, of this arrival or wait of the threads at the op's barrier. For a step with
/// precedence, returns its number among the steps of its kind that they have begun.
inline std::uint64_t phase_number(const Cohort& cohort, const Op& op) {
  std::uint64_t before = op.before;
  for (std::size_t depth = 0; depth < op.loops; ++depth) before += cohort.iterations[depth] * op.per_iteration[depth];
  return before + 1;
}

/// As phase_number() at a barrier, including arrivals and waits in bodies of tiles.
inline std::uint64_t barrier_phase(const StepState& state, const Cohort& cohort, const Op& op) {
  const std::uint32_t at = op.kind == OpCode::wait ? waits_at(op.barrier) : arrivals_at(op.barrier);
  return phase_number(cohort, op) + state.cohorts.tile_phases().at(cohort.tile_phases, at);
}

/// Returns true if these threads are served first in this step.
inline bool is_served_first(const Cohort& cohort, const Op& op) {
  return phase_number(cohort, op) % 2 == cohort.serving_parity;
}
/// Returns the threads' weight at the issue slots or banks of this step.
inline ShareWeight weight_of(const StepState& state, const Cohort& cohort, const Op& op) {
  if (op.is_repeated || !state.programs.draw_of(state.residents[cohort.group].kernel)) return ShareWeight::neither;
  return is_served_first(cohort, op) ? ShareWeight::first : ShareWeight::last;
}

/// Opens this number of phases of the op's barrier, which are complete: now for `wait` steps, and after the barrier's
/// cost for `barrier` steps.
void open_phases(StepState& state, GroupIndex group, std::uint32_t barrier, std::uint64_t phases);

/// Adds the cohort's arrival at the op's barrier for this phase, and opens the phases that this completes.
inline void arrive_at_barrier(StepState& state, const Cohort& cohort, const Op& op, std::uint64_t phase) {
  const std::uint64_t phases = state.barriers.state_of(cohort.group, op.barrier).arrive(phase, cohort.on_core.threads);
  if (phases > 0) open_phases(state, cohort.group, op.barrier, phases);
}

/// Lets the cohort wait at the op's barrier for the end of this phase.
inline void wait_at_barrier(StepState& state, CohortIndex index, const Op& op, std::uint64_t phase) {
  Cohort& cohort = state.cohorts[index];
  add_fact(state.facts, ThreadEvent::waiting, state.residents[cohort.group], cohort.on_core);
  begin_step(state, cohort);
  cohort.step_progress = phase;
  cohort.next = std::exchange(state.barriers.state_of(cohort.group, op.barrier).waiting, index);
}

// A step `issue_parts` does several works at the same time, each on its own resource: that of its op, and those of the
// `parts` ops before. Until all are done, the cohort's `step_progress` has a bit for each work that is done, and its
// `work` the time of the last one that ended.

/// Returns the op whose amount the resource serves: the current op, or one of its parts.
std::uint32_t served_op(const StepState& state, const Cohort& cohort, std::uint32_t resource);

/// Ends one of several works. If it is the last, returns the kind of the cohort's wait in its step: SLM if only L1
/// ended now, else issue slots. Otherwise, returns nullopt.
std::optional<Activity> end_work(StepState& state, Cohort& cohort, std::uint32_t resource);

/// Calls `visit(op)` for each work of the cohort's step, or for those that are done.
template <class Visit>
void visit_works(const Op& op, const Cohort& cohort, Visit&& visit) {
  for (std::uint32_t part = 0; part <= op.parts; ++part) visit(cohort.op - part);
}
template <class Visit>
void visit_done_works(const Op& op, const Cohort& cohort, Visit&& visit) {
  for (std::uint32_t part = 0; part <= op.parts; ++part)
    if ((cohort.step_progress >> part & 1) != 0) visit(cohort.op - part);
}

/// Returns the kind of wait of a cohort in the middle of several works: SLM if only L1 is not done.
Activity waiting_in_works(const StepState& state, const Cohort& cohort);

}  // namespace gdsim
