#pragma once

#include <gdsim/model/step_state.hpp>
#include <gdsim/model/steps/operations.hpp>

#include <algorithm>
#include <cstdint>

namespace gdsim {

/// Adds a wait of the threads to the series of waits over time: `waited` picoseconds between `since` and now.
void log_wait(StepState& state, SimTime since, std::int64_t waited, std::uint32_t threads, WaitColumn column);

/// Books the last `all` picoseconds of a cohort in an op: `executing` of them as execution, the others as `waiting`.
inline void book_time(StepState& state, const Cohort& cohort, Activity waiting, std::int64_t all,
                      std::int64_t executing, MemoryLimit limit) {
  if (all == 0) return;
  const KernelId kernel = state.residents[cohort.group].kernel;
  state.time_use.book_work(cohort.on_core.core, kernel, waiting, cohort.on_core.threads, all, executing);
  if (!state.waits.is_on()) return;
  if (waiting == Activity::memory)  // the column of accesses has their whole time, waits included
    log_wait(state, cohort.since, all, cohort.on_core.threads, column_of(Activity::access));
  if (executing < all)
    log_wait(state, cohort.since, all - executing, cohort.on_core.threads, wait_column(waiting, limit));
}

/// Books the time of the cohort in its step, which is this op, up to now: `executing` picoseconds as execution, the
/// rest as waiting. `limit` is the cause of a wait for memory.
inline void book_step(StepState& state, const Cohort& cohort, const Op& op, std::int64_t executing, MemoryLimit limit) {
  book_time(state, cohort, waiting_of(op.kind), (state.now() - cohort.since).count, executing, limit);
}

/// Books the time after the work of a step as execution. The part of a memory latency that exceeds the latency of an
/// isolated thread is booked as waiting.
inline void book_end_of_step(StepState& state, const Cohort& cohort) {
  if (cohort.since == state.now()) return;
  const ResidentGroup& group = state.residents[cohort.group];
  const OpCode kind = state.programs.plan_of(group).op(cohort.op).kind;
  const Duration all = state.now() - cohort.since;
  Duration executing = all;
  if (executing_of(kind) == Executing::by_rate)
    executing =
        std::min(all, state.resources.isolated_latency(cohort.since, state.programs.plan_number(group), cohort.op));
  constexpr MemoryLimit no_level = 0;
  book_time(state, cohort, waiting_of(kind), all.count, executing.count, no_level);
}

/// Books the time from `since` up to now as waiting of these threads of the kernel.
inline void book_wait(StepState& state, const CoreThreads& on_core, KernelId kernel, Activity waited, SimTime since) {
  const std::int64_t time = (state.now() - since).count;
  state.time_use.book(on_core.core, kernel, waited, on_core.threads, time);
  if (time > 0 && state.waits.is_on()) log_wait(state, since, time, on_core.threads, column_of(waited));
}

}  // namespace gdsim
