#include <gdsim/model/steps/between_groups.hpp>

namespace gdsim {
namespace {

/// Calls `use(group)` for every resident work-group of the launch.
template <class Use>
void for_each_group_of(const StepState& state, LaunchId launch, Use use) {
  for (std::size_t i = 0; i < state.residents.size(); ++i) {
    const auto group = static_cast<GroupIndex>(i);
    if (state.residents[group].threads > 0 && state.residents[group].launch == launch) use(group);
  }
}

}  // namespace

void open_grid_barrier(StepState& state, LaunchId launch, SimTime opening) {
  for_each_group_of(state, launch, [&](GroupIndex group) {
    const auto barrier = state.programs.plan_of(state.residents[group]).grid_barrier();
    state.events.schedule(opening, Event::barrier_opens(group, *barrier));
  });
}

void complete_grid_barrier(StepState& state, LaunchId launch, SimTime opening) {
  if (state.workload.launches[index_of(launch)].as_kernel().is_part_of_collective) {
    state.exchanges.push_back(launch);
  } else {
    open_grid_barrier(state, launch, opening);
  }
}

void signal_flag(StepState& state, const Cohort& cohort, const Op& op, std::uint64_t phase) {
  BarrierState& own = state.barriers.of(cohort.group, op.barrier);
  const std::uint64_t before = own.complete;
  const std::uint64_t phases = own.arrive(phase, cohort.on_core.threads);
  if (phases == 0) return;
  for (const FlagWait& wait : state.flags.arrive(flag_of(state, cohort.group, op.barrier), before, phases))
    state.events.schedule(state.now(), Event::barrier_opens_for_waits(wait.group, wait.barrier));
}

bool trigger(StepState& state, GroupIndex index) {
  ResidentGroup& group = state.residents[index];
  if (group.has_triggered || !state.grids.is_awaited(group.launch)) return false;
  group.has_triggered = true;
  return state.grids.trigger(group.launch);
}

void open_dependencies(StepState& state, LaunchId launch) {
  for_each_group_of(state, launch, [&](GroupIndex group) {
    const auto number = state.programs.plan_of(state.residents[group]).dependencies_barrier();
    if (!number) return;
    BarrierState& barrier = state.barriers.of(group, *number);
    ++barrier.complete;
    // A work-group without waiting threads may end at this instant, before an event would be handled.
    if (barrier.waiting == kNoCohort) {
      ++barrier.open;
    } else {
      state.events.schedule(state.now(), Event::barrier_opens(group, *number));
    }
  });
}

}  // namespace gdsim
