#include <gdsim/model/booking.hpp>

#include <gdsim/model/operation_catalog.hpp>

#include <algorithm>

namespace gdsim {

namespace {

/// Of `all` picoseconds that the cohort was in an op of this kind, it executed so many.
void book_time(ModelState& state, const Cohort& cohort, KernelId kernel, OpKind kind, std::int64_t all,
               std::int64_t executing, MemoryLimit limit) {
  if (all == 0) return;
  const TimeKind waiting = with_operation(kind, [](auto operation) { return operation.waiting; });
  state.time_use.book_work(cohort.part.core, kernel, waiting, cohort.part.threads, all, executing);
  if (executing < all && state.waits.is_on())
    state.waits.add(
        {cohort.since, state.now(), all - executing, cohort.part.threads, wait_column(waiting, limit), 0, {}});
}

}  // namespace

void book_step(ModelState& state, const Cohort& cohort, std::int64_t executing, MemoryLimit limit) {
  const KernelId kernel = state.residents[cohort.group].kernel;
  const OpKind kind = state.programs.plan_of(kernel).op(cohort.at).kind;
  book_time(state, cohort, kernel, kind, (state.now() - cohort.since).count, executing, limit);
}

void book_end_of_step(ModelState& state, const Cohort& cohort) {
  const KernelId kernel = state.residents[cohort.group].kernel;
  const OpKind kind = state.programs.plan_of(kernel).op(cohort.at).kind;
  const Duration all = state.now() - cohort.since;
  const bool is_answered = kind == OpKind::memory;
  const Duration executing = is_answered ? std::min(all, state.resources.isolated_latency(kernel, cohort.at)) : all;
  book_time(state, cohort, kernel, kind, all.count, executing.count, 0);
}

void book_wait(ModelState& state, const Part& part, KernelId kernel, TimeKind waited, SimTime since) {
  const std::int64_t time = (state.now() - since).count;
  state.time_use.book(part.core, kernel, waited, part.threads, time);
  if (time > 0 && state.waits.is_on())
    state.waits.add({since, state.now(), time, part.threads, column_of(waited), 0, {}});
}

}  // namespace gdsim
