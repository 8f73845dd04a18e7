#pragma once

#include <gdsim/model/step_state.hpp>
#include <gdsim/record/time_use.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

namespace gdsim {

/// Whether threads that reach an op continue at once.
enum class Progress : std::uint8_t { continues, stays };

/// How much of the time that a cohort spends in an op it executes.
enum class Executing : std::uint8_t {
  always,        ///< all of it
  by_work,       ///< its own work, as far as a shared resource has served it
  by_two_works,  ///< the longer of two works, of which two shared resources serve one each
  by_rate,       ///< as much as it would have needed with the memory for itself, and what is not served any more
  by_load,       ///< as much as the asynchronous load for which it waits would have needed with the memory for itself
  never,         ///< none: it waits
  no_threads     ///< it stands for an asynchronous load: its threads are somewhere else
};

/// A kind of operation: a struct in a file of this folder, with one line in `operation_catalog.hpp`.
///
/// - `enter`: the cohort has reached the op. Either the op moves its `at` and the cohort continues, or it stays: the op
///   ensures that an event moves it on, or other cohorts with its threads.
/// - `waiting`: what the cohort's time in the op counts as, as far as it does not execute.
/// - `executing`: how much of that time it executes, if a run ends in the middle of it.
/// - `isolated_time`: how long the op takes if all threads of the work-group reach it together, on a core that they
///   have for themselves if `shares_core`; nothing if that is not known beforehand, see NeverIsolated.
template <class T>
concept Operation = requires(StepState& state, const StepState& seen, CohortIndex index, const Cohort& cohort,
                             const Op& op) {
  { T::enter(state, index, op) } -> std::same_as<Progress>;
  requires std::same_as<decltype(T::waiting), const TimeKind>;
  requires std::same_as<decltype(T::executing), const Executing>;
  requires std::same_as<decltype(T::shares_core), const bool>;
  { T::isolated_time(seen, cohort) } -> std::same_as<std::optional<Duration>>;
};

/// How long the op takes is not known beforehand, or it has effects that others see.
struct NeverIsolated {
  static constexpr bool shares_core = true;
  static std::optional<Duration> isolated_time(const StepState&, const Cohort&) { return std::nullopt; }
};

/// The tile that the threads have next after `taken` of a list whose tiles are assigned by number; nothing: no more.
inline std::optional<std::uint64_t> next_by_number(const StepState& state, const Cohort& cohort, const TileStep& step,
                                                   std::uint64_t taken) {
  const ResidentGroup& group = state.residents[cohort.group];
  const std::uint64_t groups = state.kernel_of(group.launch).range.group_count();
  const std::uint64_t number = number_of(group.number);
  if (step.per == TileTaker::work_group) return step.next_by_number(number, groups, taken);
  return step.next_by_number(number * group.threads + cohort.first_thread, groups * group.threads, taken);
}

/// The cohort begins with a step that takes time.
inline void begin_step(const StepState& state, Cohort& cohort) { cohort.since = state.step_begin(); }

/// Each thread's amount of this op under the device's clock of this number.
inline std::int64_t amount_under(const StepState& state, std::size_t clock, const Cohort& cohort, std::uint32_t op) {
  return Programs::amount_under(clock, state.residents[cohort.group], cohort, op);
}
/// Each thread's amount of the op that the cohort executes, under the device's clock of this number.
inline std::int64_t amount_under(const StepState& state, std::size_t clock, const Cohort& cohort) {
  return amount_under(state, clock, cohort, cohort.at);
}
/// Each thread's amount of this op under the clock in force.
inline std::int64_t amount_of(const StepState& state, const Cohort& cohort, std::uint32_t op) {
  if (state.clocks.changes()) return amount_under(state, state.clocks.number_at(state.now()), cohort, op);
  return Programs::amount(state.residents[cohort.group], cohort, op);
}
/// Each thread's amount of the op that the cohort executes, under the clock in force.
inline std::int64_t amount_of(const StepState& state, const Cohort& cohort) {
  return amount_of(state, cohort, cohort.at);
}
/// When the op of the cohort, an amount of time, ends if it begins at `begin` and nothing but the clock affects it.
inline SimTime end_of_amount(const StepState& state, const Cohort& cohort, SimTime begin) {
  if (!state.clocks.changes()) return begin + Duration{amount_of(state, cohort)};
  return state.clocks.end(begin, [&](std::size_t clock) { return Duration{amount_under(state, clock, cohort)}; });
}
/// When a cost that no factor changes, of taking a tile or of a grid barrier, ends if it begins now.
inline SimTime end_of_undeclared_amount(const StepState& state, const Cohort& cohort) {
  const ProgramPlan& plan = state.programs.plan_of(state.residents[cohort.group]);
  return state.clocks.end(state.now(),
                          [&](std::size_t clock) { return Duration{plan.undeclared_amount(cohort.at, clock)}; });
}

/// Nothing but their end follows the op that the threads execute. Whether a list has another tile for them is known
/// where tiles are assigned by number.
inline bool ends_after(const StepState& state, const Cohort& cohort) {
  const ProgramPlan& plan = state.programs.plan_of(state.residents[cohort.group]);
  std::uint32_t next = cohort.at + 1;
  std::uint64_t taken = cohort.tiles.taken;
  for (;;) {
    const Op& op = plan.op(next);
    if (op.kind == OpKind::loop_end && cohort.iterations[op.depth] + 1 == op.count) {
      ++next;
    } else if (op.kind == OpKind::tile_end) {
      next = op.target;
    } else if (op.kind == OpKind::take_tile && plan.tile_step(op).take == TileTake::by_number) {
      const TileStep& step = plan.tile_step(op);
      const auto tile = next_by_number(state, cohort, step, taken);
      next = tile ? step.first_ops[step.body_of(*tile)] : step.leave_op + 1;
      taken = tile ? taken + 1 : 0;
      if (tile && plan.undeclared_amount(next) > 0) return false;
      if (tile) ++next;
    } else {
      return op.kind == OpKind::end;
    }
  }
}

/// The step of the cohort ends at `at`, and with it the threads, if nothing but their end follows.
inline void schedule_step_end(StepState& state, CohortIndex index, SimTime at) {
  const Cohort& cohort = state.cohorts[index];
  const bool is_last = ends_after(state, cohort);
  state.events.schedule(at, is_last ? Event::threads_end(index) : Event::step_ends(index));
}

/// How often these threads have arrived at the op's barrier with this arrival, or waited there with this wait; of a
/// step in which threads take turns: how many of its kind they have begun with this one.
inline std::uint64_t phase_number(const Cohort& cohort, const Op& op) {
  std::uint64_t before = op.before;
  for (std::size_t depth = 0; depth < kMaxLoops; ++depth) before += cohort.iterations[depth] * op.per_iteration[depth];
  return before + 1;
}

/// The same at a barrier, with what they did there in bodies of tiles.
inline std::uint64_t barrier_phase(const StepState& state, const Cohort& cohort, const Op& op) {
  const std::uint32_t at = op.kind == OpKind::wait ? waits_at(op.barrier) : arrivals_at(op.barrier);
  return phase_number(cohort, op) + state.cohorts.tile_phases().at(cohort.tile_phases, at);
}

/// It is these threads' turn to be served first in this step.
inline bool is_served_first(const Cohort& cohort, const Op& op) {
  return phase_number(cohort, op) % 2 == cohort.serving_parity;
}
/// What they get of the issue slots or banks that this step needs.
inline ShareWeight weight_of(const StepState& state, const Cohort& cohort, const Op& op) {
  if (op.is_repeated || !state.programs.draw_of(state.residents[cohort.group].kernel)) return ShareWeight::neither;
  return is_served_first(cohort, op) ? ShareWeight::first : ShareWeight::last;
}

/// The cohort arrives at the op's barrier, for the phase of this number. The phases that are complete with it open: for
/// `wait` steps now, for `barrier` steps after the barrier's cost.
inline void arrive_at_barrier(StepState& state, const Cohort& cohort, const Op& op, std::uint64_t phase) {
  const std::uint64_t phases = state.barriers.of(cohort.group, op.barrier).arrive(phase, cohort.on_core.threads);
  if (phases == 0) return;
  const ResidentGroup& group = state.residents[cohort.group];
  const ProgramPlan& plan = state.programs.plan_of(group);
  SimTime opening = state.now();
  if (plan.has_barrier_step(op.barrier))
    opening = state.clocks.end(opening, [&](std::size_t clock) { return plan.barrier_cost(group.threads, clock); });
  const bool costs_time = opening > state.now();
  const bool waits_end_before = costs_time && plan.has_wait_step(op.barrier);
  for (std::uint64_t i = 0; i < phases; ++i) {
    if (waits_end_before) state.events.schedule(state.now(), Event::barrier_opens_for_waits(cohort.group, op.barrier));
    state.events.schedule(opening, Event::barrier_opens(cohort.group, op.barrier));
    if (costs_time) state.barriers.of(cohort.group, op.barrier).openings.push_back(opening);
  }
}

/// The cohort waits at the op's barrier for the end of the phase of this number.
inline void wait_at_barrier(StepState& state, CohortIndex index, const Op& op, std::uint64_t phase) {
  Cohort& cohort = state.cohorts[index];
  add_fact(state.facts, FactKind::waiting, state.residents[cohort.group], cohort.on_core);
  begin_step(state, cohort);
  cohort.phase = phase;
  cohort.next = std::exchange(state.barriers.of(cohort.group, op.barrier).waiting, index);
}

}  // namespace gdsim
