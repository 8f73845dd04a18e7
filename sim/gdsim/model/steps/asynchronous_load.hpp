#pragma once

#include <gdsim/model/steps/operation.hpp>

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
  static constexpr TimeKind waiting = TimeKind::executing;
  static constexpr Executing executing = Executing::no_threads;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort load = state.cohorts[index];
    const ResidentGroup& group = state.residents[load.group];
    const MemoryUse use{state.programs.plan_number(group), load.at, is_served_first(load, op)};
    const std::int64_t bytes = amount_of(state, load);
    load.last_load = state.loads.begin(load.last_load, state.resources.isolated_end(state.now(), use, bytes));
    begin_request(state, load, use, bytes);
    Cohort& cohort = state.cohorts[index];
    cohort.last_load = load.last_load;
    ++cohort.at;
    return Progress::continues;
  }
};

/// Threads write bytes and continue, unless too many stores of their core are under way. Nobody but a fence and the end
/// of the launch waits for the store.
struct StoreOperation {
  static constexpr TimeKind waiting = TimeKind::memory;
  static constexpr Executing executing = Executing::never;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort store = state.cohorts[index];
    const ResidentGroup& group = state.residents[store.group];
    const MemoryUse use{state.programs.plan_number(group), store.at};
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
      ++cohort.at;
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
  static constexpr TimeKind waiting = TimeKind::memory;
  static constexpr Executing executing = Executing::by_load;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    cohort.last_load = state.loads.if_outstanding(cohort.last_load);
    cohort.last_store = state.loads.if_outstanding(cohort.last_store);
    const LoadHandle load = awaited_load(state, cohort, op);
    if (!state.loads.is_outstanding(load)) {
      ++cohort.at;
      return Progress::continues;
    }
    begin_step(state, cohort);
    cohort.next = std::exchange(state.loads[load].waiting, index);
    return Progress::stays;
  }
};

}  // namespace gdsim
