#pragma once

#include <gdsim/model/steps/between_groups.hpp>
#include <gdsim/model/steps/operation.hpp>
#include <gdsim/model/steps/tiles.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {

/// Lets the memory serve `bytes` bytes to each thread of `request`: a copy of a cohort, without threads of its own,
/// that represents the cohort's load or store until it has ended.
inline void begin_request(StepState& state, Cohort& request, const MemoryUse& use, std::int64_t bytes) {
  request.on_core.engines = EngineSet::none;
  request.iterations = {};
  request.tile_phases = kNoTilePhases;
  begin_step(state, request);
  state.resources.use_memory(state.now(), request.on_core.core, use, state.cohorts.add(request),
                             request.on_core.threads, bytes);
}

/// Threads request bytes from the memory and continue.
struct LoadOperation {
  static constexpr Activity waiting = Activity::executing;
  static constexpr Executing executing = Executing::no_threads;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort load = state.cohorts[index];
    const ResidentGroup& group = state.residents[load.group];
    const MemoryUse use{state.programs.plan_number(group), load.op, is_served_first(load, op)};
    const std::int64_t bytes = amount_of(state, load);
    load.last_load = state.loads.begin(load.last_load, state.resources.isolated_end(state.now(), use, bytes));
    begin_request(state, load, use, bytes);
    Cohort& cohort = state.cohorts[index];
    cohort.last_load = load.last_load;
    ++cohort.op;
    return Progress::continues;
  }
};

/// Threads write bytes and continue, unless too many stores of their core are under way. Nobody but a fence and the end
/// of the launch waits for the store.
struct StoreOperation {
  static constexpr Activity waiting = Activity::memory;
  static constexpr Executing executing = Executing::never;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort store = state.cohorts[index];
    const ResidentGroup& group = state.residents[store.group];
    const MemoryUse use{state.programs.plan_number(group), store.op};
    const std::int64_t bytes = amount_of(state, store);
    const CoreId core = store.on_core.core;
    const LaunchId launch = group.launch;
    store.store_of = static_cast<std::uint32_t>(launch) + 1;
    store.last_load = op.awaits_stores
                          ? state.loads.begin(store.last_store, state.resources.isolated_end(state.now(), use, bytes))
                          : LoadHandle();
    begin_request(state, store, use, bytes);
    state.stores.begin(state.now(), core, launch, store.on_core.threads);
    Cohort& cohort = state.cohorts[index];
    cohort.last_store = store.last_load;
    if (state.stores.has_room(state.now(), core)) {
      ++cohort.op;
      return Progress::continues;
    }
    begin_step(state, cohort);
    state.stores.wait(core, index);
    return Progress::stays;
  }
};

/// Returns the last load, or store, for which threads at this op wait; an empty handle if they need not.
inline LoadHandle awaited_load(const StepState& state, const Cohort& cohort, const Op& op) {
  return state.loads.awaited(op.awaits_stores ? cohort.last_store : cohort.last_load, op.outstanding);
}

/// Threads wait for all their loads except the last few, or at a fence for all their stores. The time that they would
/// wait without contention, too, counts as execution.
struct WaitMemoryOperation {
  static constexpr Activity waiting = Activity::memory;
  static constexpr Executing executing = Executing::by_load;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    cohort.last_load = state.loads.if_outstanding(cohort.last_load);
    cohort.last_store = state.loads.if_outstanding(cohort.last_store);
    const LoadHandle load = awaited_load(state, cohort, op);
    if (!state.loads.is_outstanding(load)) {
      ++cohort.op;
      return Progress::continues;
    }
    begin_step(state, cohort);
    cohort.next = std::exchange(state.loads[load].waiting, index);
    return Progress::stays;
  }
};

// Rule, to the picosecond: atomic accesses.
//
// An `atomic` step in SLM keeps its core's banks busy for each access of the thread as long as an access to
// neighboring words of 4 bytes does, or, if that is longer, as long as the address to which most of its work-items go
// needs for them, at the device's rate, times `accesses_per_cycle`: so one address is served at its rate, whatever else
// is served. It counts as an `slm` step. An `atomic` step in global memory is two steps. The first is a `memory` step,
// 4 bytes for each address that an access of the thread touches. In the second, all threads of the device that are in
// such a step share the time of an address equally, one at a time: a thread needs as much of it as one address needs
// for its part of the thread's accesses, or as long as all of its accesses need at `global_total`, the rate of all
// addresses together, if that is given and longer; at least a picosecond. An address serves accesses of `type: float`
// at the rate `global_float`, if the device has it. Both steps vary with the factor. A number of cycles that is not
// whole is rounded up to a millionth.

/// Atomic accesses to addresses that all work-groups share. Accesses to one address are serialized. They are spread
/// evenly over the addresses, so all addresses have equal queues, and a single one is simulated.
struct AtomicsOperation {
  static constexpr Activity waiting = Activity::memory;
  static constexpr Executing executing = Executing::by_work;

  static Progress enter(StepState& state, CohortIndex index, const Op&) {
    Cohort& cohort = state.cohorts[index];
    state.resources.use_atomics(state.now(), index, cohort.on_core.threads, begin_work(state, cohort));
    return Progress::stays;
  }
};

/// Threads arrive at a barrier and wait until all threads of the work-group have arrived.
struct BarrierOperation {
  static constexpr Activity waiting = Activity::barrier;
  static constexpr Executing executing = Executing::never;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    const Cohort& cohort = state.cohorts[index];
    const std::uint64_t phase = barrier_phase(state, cohort, op);
    wait_at_barrier(state, index, op, phase);
    arrive_at_barrier(state, cohort, op, phase);
    return Progress::stays;
  }
};

/// Threads arrive at a split barrier and continue.
struct SignalOperation {
  static constexpr Activity waiting = Activity::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    const std::uint64_t phase = barrier_phase(state, cohort, op);
    if (op.is_of_flag)
      signal_flag(state, cohort, op, phase);
    else
      arrive_at_barrier(state, cohort, op, phase);
    ++cohort.op;
    return Progress::continues;
  }
};

/// The n-th wait of a thread ends when all threads that signal the split barrier, or all work-groups that signal the
/// flag, have signalled n times; of a barrier that says `initially`, n is counted behind the waits that pass at once.
struct WaitOperation {
  static std::uint64_t complete_for_waits(const StepState& state, const Cohort& cohort, const Op& op) {
    if (op.is_of_flag) return state.flags.complete(flag_of(state, cohort.group, op.barrier));
    return state.barriers.state_of(cohort.group, op.barrier).open_for_waits;
  }

  static constexpr Activity waiting = Activity::barrier;
  static constexpr Executing executing = Executing::never;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    const std::uint64_t number = barrier_phase(state, cohort, op);
    cohort.step_progress = number - std::min(number, op.count);
    if (cohort.step_progress <= complete_for_waits(state, cohort, op)) {
      ++cohort.op;
      return Progress::continues;
    }
    wait_at_barrier(state, index, op, cohort.step_progress);
    if (op.is_of_flag) state.flags.wait(flag_of(state, cohort.group, op.barrier), {cohort.group, op.barrier});
    return Progress::stays;
  }
};

/// Threads execute for a fixed time.
struct ComputeOperation {
  static constexpr Activity waiting = Activity::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    begin_step(state, cohort);
    schedule_step_end(state, index, op, end_of_amount(state, cohort, state.now()));
    return Progress::stays;
  }
};

/// The end of the program: threads end at this instant.
struct EndOperation {
  static constexpr Activity waiting = Activity::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op&) {
    begin_step(state, state.cohorts[index]);
    state.events.schedule_now(Event::threads_end(index));
    return Progress::stays;
  }
};

/// Splits the cohort by issue pool, and calls `use(pool, cohort, threads)` for each pool with threads of it. The last
/// part remains the cohort.
template <class Use>
void use_by_issue_pool(StepState& state, CohortIndex index, Use use) {
  const CoreThreads on_core = state.cohorts[index].on_core;
  EngineSets& sets = state.cohorts.engine_sets();
  if (on_core.threads == 1) return use(state.resources.issue_pool_of(sets.engine_of_one(on_core.engines)), index, 1U);
  std::uint32_t left = on_core.threads;
  for (std::uint32_t pool = 0; left > 0; ++pool) {
    const auto [first, end] = state.resources.engines_of(pool);
    const std::uint32_t threads = sets.count(on_core.engines, first, end);
    if (threads == 0) continue;
    const bool is_last = threads == left;
    left -= threads;
    use(pool, is_last ? index : state.cohorts.split(index, threads, sets.take(on_core.engines, first, end)), threads);
  }
}

/// Threads share the issue slots, or a pipe, of their engine or of several fused engines.
struct IssueOperation {
  static constexpr Activity waiting = Activity::issue;
  static constexpr Executing executing = Executing::by_work;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    const ShareWeight weight = weight_of(state, state.cohorts[index], op);
    const std::int64_t work = begin_work(state, state.cohorts[index]);
    const CoreId core = state.cohorts[index].on_core.core;
    use_by_issue_pool(state, index, [&](std::uint32_t pool, CohortIndex cohort, std::uint32_t threads) {
      state.resources.use_pipe(state.now(), op.pipe, core, pool, cohort, threads, work, weight);
    });
    return Progress::stays;
  }
};

/// Holds its amount for the next op `issue_parts`. Threads continue at once.
struct PartOperation {
  static constexpr Activity waiting = Activity::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op&) {
    ++state.cohorts[index].op;
    return Progress::continues;
  }
};

/// Threads use several pipes at the same time, among them issue slots and the core's L1, until all have served them:
/// the pipe of this op, and those of its parts, which are the ops before it.
struct IssuePartsOperation {
  static constexpr Activity waiting = Activity::issue;  ///< or `slm`, see end_work()
  static constexpr Executing executing = Executing::by_works;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    const ShareWeight weight = weight_of(state, state.cohorts[index], op);
    const CoreId core = state.cohorts[index].on_core.core;
    begin_step(state, state.cohorts[index]);
    state.cohorts[index].step_progress = 0;
    use_by_issue_pool(state, index, [&](std::uint32_t pool, CohortIndex part, std::uint32_t threads) {
      const ProgramPlan& plan = state.programs.plan_of(state.residents[state.cohorts[part].group]);
      visit_works(op, state.cohorts[part], [&](std::uint32_t work) {
        state.resources.use_pipe(state.now(), plan.op(work).pipe, core, pool, part, threads,
                                 amount_of(state, state.cohorts[part], work), weight);
      });
    });
    return Progress::stays;
  }
};

/// The first threads of a work-group that reach this op launch a child. The end of the child opens a barrier without
/// arrivals, at which threads wait.
struct LaunchChildOperation {
  static constexpr Activity waiting = Activity::child;
  static constexpr Executing executing = Executing::never;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    const BarrierState& end = state.barriers.state_of(cohort.group, op.barrier);
    const ResidentGroup& group = state.residents[cohort.group];
    const LaunchId child = child_of(state.workload, group.launch, group.number, op.child);
    if (!state.children.is_launched(child)) state.children.launch(child, cohort.group);
    if (op.awaits_child) state.children.submit_held(cohort.group);
    cohort.step_progress = 1;
    if (!op.awaits_child || end.open > 0) {
      ++cohort.op;
      return Progress::continues;
    }
    wait_at_barrier(state, index, op, cohort.step_progress);
    return Progress::stays;
  }
};

/// The end of a loop's body: threads begin another iteration or leave the loop.
struct LoopEndOperation {
  static constexpr Activity waiting = Activity::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    std::uint64_t& iterations = cohort.iterations[op.depth];
    if (++iterations < op.count) {
      cohort.op = op.target;
    } else {
      iterations = 0;
      ++cohort.op;
    }
    return Progress::continues;
  }
};

/// Threads share the global memory. The step ends one latency after the last of their bytes is served.
struct MemoryOperation {
  static constexpr Activity waiting = Activity::memory;
  static constexpr Executing executing = Executing::by_rate;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    begin_step(state, cohort);
    const ResidentGroup& group = state.residents[cohort.group];
    const MemoryUse use{state.programs.plan_number(group), cohort.op, is_served_first(cohort, op)};
    state.resources.use_memory(state.now(), cohort.on_core.core, use, index, cohort.on_core.threads,
                               amount_of(state, cohort));
    return Progress::stays;
  }
};

/// Threads share the banks of their core's SLM.
struct SlmOperation {
  static constexpr Activity waiting = Activity::slm;
  static constexpr Executing executing = Executing::by_work;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    state.resources.use_slm(state.now(), cohort.on_core.core, index, cohort.on_core.threads, begin_work(state, cohort),
                            weight_of(state, cohort, op));
    return Progress::stays;
  }
};

/// Calls `use_any` with the operation of this kind. Each kind has one line.
template <class Use>
constexpr decltype(auto) with_operation(OpCode kind, Use&& use_any) {
  const auto use = [&](Operation auto operation) constexpr->decltype(auto) { return use_any(operation); };
  switch (kind) {
    case OpCode::compute: return use(ComputeOperation{});
    case OpCode::issue: return use(IssueOperation{});
    case OpCode::part: return use(PartOperation{});
    case OpCode::issue_parts: return use(IssuePartsOperation{});
    case OpCode::slm: return use(SlmOperation{});
    case OpCode::atomics: return use(AtomicsOperation{});
    case OpCode::memory: return use(MemoryOperation{});
    case OpCode::load: return use(LoadOperation{});
    case OpCode::store: return use(StoreOperation{});
    case OpCode::wait_memory: return use(WaitMemoryOperation{});
    case OpCode::barrier: return use(BarrierOperation{});
    case OpCode::signal: return use(SignalOperation{});
    case OpCode::wait: return use(WaitOperation{});
    case OpCode::grid_barrier: return use(GridBarrierOperation{});
    case OpCode::trigger: return use(TriggerOperation{});
    case OpCode::wait_dependencies: return use(WaitDependenciesOperation{});
    case OpCode::launch: return use(LaunchChildOperation{});
    case OpCode::take_tile: return use(TakeTileOperation{});
    case OpCode::tile_cost: return use(TileCostOperation{});
    case OpCode::tile_end: return use(TileEndOperation{});
    case OpCode::loop_end: return use(LoopEndOperation{});
    case OpCode::end: break;
  }
  return use(EndOperation{});
}

inline constexpr Activity waiting_of(OpCode kind) {
  return with_operation(kind, [](auto operation) { return operation.waiting; });
}
inline constexpr Executing executing_of(OpCode kind) {
  return with_operation(kind, [](auto operation) { return operation.executing; });
}

}  // namespace gdsim
