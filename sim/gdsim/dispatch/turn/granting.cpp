#include <gdsim/dispatch/turn/granting.hpp>

namespace gdsim {

Grant& grant_threads(DispatchState& state, Dispatcher& dispatcher, const PartialGroup& group, CoreId core,
                     std::uint32_t threads, std::uint64_t work_groups) {
  const EngineSet engines = state.bank.cores[index_of(core)].take_threads(state.progress.full_footprint(group.launch),
                                                                          threads, state.now, state.bank.engine_sets);
  Grant& grant = state.decisions.grants.emplace_back();
  grant.launch = group.launch;
  grant.work_group = group.work_group;
  grant.core = core;
  grant.first_core = group.first_core;
  grant.threads = threads;
  grant.group_threads = group.group_threads;
  grant.engines = engines;
  grant.fills_group = group.remaining == 0;
  if (const SimTime until = state.times.end_of_busy(state.now, threads, work_groups); until > state.now) {
    dispatcher.busy_until = until;
    state.decisions.next_turns.push_back(until);
  }
  return grant;
}

void release_if_empty(DispatchState& state, CoreId core) {
  if (!state.claims.are_exclusive()) return;
  const Dispatcher& dispatcher = state.dispatchers.of(core);
  const std::size_t i = index_of(core);
  if (dispatcher.partials.contains(i) || dispatcher.partials.is_spread_on(i) || !state.bank.cores[i].is_empty()) return;
  if (const auto launch = state.claims.release(core)) state.chooser->on_left_cores(*launch);
}

}  // namespace gdsim
