#pragma once

#include <gdsim/model/step_state.hpp>
#include <gdsim/model/steps/operation_catalog.hpp>

#include <algorithm>
#include <cstdint>

namespace gdsim {

/// Threads waited for `waited` picoseconds of the time from `since` up to now: kept in the series of waits over time.
void log_wait(StepState& state, SimTime since, std::int64_t waited, std::uint32_t threads, WaitColumn column);

/// Of `all` picoseconds up to now that the cohort was in an op, books `executing` as such and the rest as `waiting`.
inline void book_time(StepState& state, const Cohort& cohort, TimeKind waiting, std::int64_t all,
                      std::int64_t executing, MemoryLimit limit) {
  if (all == 0) return;
  const KernelId kernel = state.residents[cohort.group].kernel;
  state.time_use.book_work(cohort.on_core.core, kernel, waiting, cohort.on_core.threads, all, executing);
  if (!state.waits.is_on()) return;
  if (waiting == TimeKind::memory)
    log_wait(state, cohort.since, all, cohort.on_core.threads, column_of(TimeKind::access));
  if (executing < all)
    log_wait(state, cohort.since, all - executing, cohort.on_core.threads, wait_column(waiting, limit));
}

/// Books what the cohort has done with its time in its step up to now, `executing` of it picoseconds of execution. The
/// rest it waited, for memory because of `limit`.
inline void book_step(StepState& state, const Cohort& cohort, std::int64_t executing, MemoryLimit limit = 0) {
  const OpKind kind = state.programs.plan_of(state.residents[cohort.group]).op(cohort.at).kind;
  book_time(state, cohort, waiting_of(kind), (state.now() - cohort.since).count, executing, limit);
}

/// Books the last stretch of a step, after its work: as execution, but for that part of a memory's latency by which it
/// exceeds the latency of a thread alone, which is waiting.
inline void book_end_of_step(StepState& state, const Cohort& cohort) {
  if (cohort.since == state.now()) return;
  const ResidentGroup& group = state.residents[cohort.group];
  const OpKind kind = state.programs.plan_of(group).op(cohort.at).kind;
  const Duration all = state.now() - cohort.since;
  Duration executing = all;
  if (executing_of(kind) == Executing::by_rate)
    executing =
        std::min(all, state.resources.isolated_latency(cohort.since, state.programs.plan_number(group), cohort.at));
  book_time(state, cohort, waiting_of(kind), all.count, executing.count, 0);
}

/// Books that these threads of the kernel have done nothing but wait from `since` up to now.
inline void book_wait(StepState& state, const CoreThreads& on_core, KernelId kernel, TimeKind waited, SimTime since) {
  const std::int64_t time = (state.now() - since).count;
  state.time_use.book(on_core.core, kernel, waited, on_core.threads, time);
  if (time > 0 && state.waits.is_on()) log_wait(state, since, time, on_core.threads, column_of(waited));
}

}  // namespace gdsim
