#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/model/model_state.hpp>
#include <gdsim/model/step_state.hpp>
#include <gdsim/model/steps/operations.hpp>
#include <gdsim/record/time_use.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace gdsim {

/// Books the waits and the held resources of launches up to now. Must be called once, at the end of the run.
void settle_launches(ModelState& state);

/// Returns the time use of threads up to now, by core, then kernel, without empty entries. Threads in the middle of an
/// op are included. Must be called once, at the end of the run.
std::vector<CoreTimeUse> finalize_time_use(ModelState& state);

/// Returns the bytes that memory steps have requested, by kernel, then memory level; without levels if there are none.
std::vector<std::vector<Int128>> traffic_by_kernel(const ModelState& state);

/// Returns the threads that wait at this barrier.
std::vector<Cohort> waiting_at(const ModelState& state, GroupIndex group, std::uint32_t barrier);

/// Adds a wait of the threads to the series of waits over time: `waited` picoseconds between `since` and now.
void log_wait(StepState& state, SimTime since, std::int64_t waited, std::uint32_t threads, WaitColumn column);

/// Books the last `all` picoseconds of a cohort in an op: `executing` of them as execution, the others as `waiting`.
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
  const OpKind kind = state.programs.plan_of(group).op(cohort.at).kind;
  const Duration all = state.now() - cohort.since;
  Duration executing = all;
  if (executing_of(kind) == Executing::by_rate)
    executing =
        std::min(all, state.resources.isolated_latency(cohort.since, state.programs.plan_number(group), cohort.at));
  book_time(state, cohort, waiting_of(kind), all.count, executing.count, 0);
}

/// Books the time from `since` up to now as waiting of these threads of the kernel.
inline void book_wait(StepState& state, const CoreThreads& on_core, KernelId kernel, TimeKind waited, SimTime since) {
  const std::int64_t time = (state.now() - since).count;
  state.time_use.book(on_core.core, kernel, waited, on_core.threads, time);
  if (time > 0 && state.waits.is_on()) log_wait(state, since, time, on_core.threads, column_of(waited));
}

/// Returns the kind of the time in an op during which a thread does not wait.
inline constexpr TimeKind executing_beside(TimeKind waiting) {
  return waiting == TimeKind::memory ? TimeKind::access : TimeKind::executing;
}

/// The time use of threads by core and kernel. Memory grows only with kernels that used time: the kernels of a core
/// share small pages, which are created when a time is booked on them.
class TimeLedger {
 public:
  TimeLedger(std::size_t cores, std::size_t kernels);

  /// Books `picoseconds` for each of `threads` threads.
  void book(CoreId core, KernelId kernel, TimeKind kind, std::uint32_t threads, std::int64_t picoseconds) {
    book(core, kernel, kind, product(threads, picoseconds));
  }
  void book(CoreId core, KernelId kernel, TimeKind kind, Int128 thread_picoseconds) {
    use_of(core, kernel).add(kind, thread_picoseconds);
  }

  TimeUse of(CoreId core, KernelId kernel) const;

  /// Books `all` picoseconds on an op that would have taken `executing` picoseconds without contention. The rest is
  /// booked as `waiting`. `executing` may exceed `all` because of rounding.
  void book_work(CoreId core, KernelId kernel, TimeKind waiting, std::uint32_t threads, std::int64_t all,
                 std::int64_t executing) {
    TimeUse& use = use_of(core, kernel);
    use.add(executing_beside(waiting), product(threads, std::min(executing, all)));
    if (executing < all) use.add(waiting, product(threads, all - executing));
  }

  /// Returns the uses by core, then kernel, without empty ones. Must be the last call.
  std::vector<CoreTimeUse> take_uses();

 private:
  static constexpr std::int64_t kNoPage = std::numeric_limits<std::int64_t>::min();

  static Int128 product(std::int64_t threads, std::int64_t picoseconds) { return Int128{threads} * picoseconds; }
  TimeUse& use_of(CoreId core, KernelId kernel) {
    std::int64_t& shift = shifts_[page_of(index_of(core), index_of(kernel))];
    if (shift == kNoPage) shift = add_page(index_of(kernel));
    return uses_[place_of(shift, index_of(kernel))];
  }
  std::size_t page_of(std::size_t core, std::size_t kernel) const {
    return core * pages_per_core_ + (kernel >> page_bits_);
  }
  static std::size_t place_of(std::int64_t shift, std::size_t kernel) {
    return static_cast<std::size_t>(shift + static_cast<std::int64_t>(kernel));
  }
  std::int64_t add_page(std::size_t kernel);
  template <class Visit>
  void visit_uses(Visit visit) const;

  std::size_t cores_;
  std::size_t kernels_;
  unsigned page_bits_ = 0;  ///< log2 of the number of kernels of a page
  std::size_t pages_per_core_;
  std::vector<std::int64_t> shifts_;  ///< by core, then page: offset from a kernel's number to its position in uses_
  std::vector<TimeUse> uses_;
};

}  // namespace gdsim
