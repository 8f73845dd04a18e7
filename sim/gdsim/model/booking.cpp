#include <gdsim/model/booking.hpp>

#include <gdsim/model/operation_catalog.hpp>

#include <algorithm>

namespace gdsim {

void book_step(ModelState& state, const Cohort& cohort, std::int64_t executing, MemoryLimit limit) {
  const std::int64_t all = (state.now() - cohort.since).count;
  if (all == 0) return;
  const ResidentGroup& group = state.residents[cohort.group];
  const OpKind kind = state.programs.plan_of(group).op(cohort.at).kind;
  const TimeKind waiting = with_operation(kind, [](auto operation) { return operation.waiting; });
  state.time_use.book_work(cohort.part.core, group.kernel, waiting, cohort.part.threads, all, executing);
  if (executing < all && state.waits.is_on())
    state.waits.add(
        {cohort.since, state.now(), all - executing, cohort.part.threads, wait_column(waiting, limit), 0, {}});
}

void book_end_of_step(ModelState& state, const Cohort& cohort) {
  Duration executing = state.now() - cohort.since;
  const KernelId kernel = state.residents[cohort.group].kernel;
  if (state.programs.plan_of(kernel).op(cohort.at).kind == OpKind::memory)
    executing = std::min(executing, state.resources.isolated_latency(kernel, cohort.at));
  book_step(state, cohort, executing.count);
}

void book_wait(ModelState& state, const Part& part, KernelId kernel, TimeKind waited, SimTime since) {
  const std::int64_t time = (state.now() - since).count;
  state.time_use.book(part.core, kernel, waited, part.threads, time);
  if (time > 0 && state.waits.is_on())
    state.waits.add({since, state.now(), time, part.threads, column_of(waited), 0, {}});
}

}  // namespace gdsim
