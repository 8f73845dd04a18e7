#include <gdsim/dispatch/turn/placing.hpp>

#include <gdsim/dispatch/shares/partitioning.hpp>
#include <gdsim/fit/core.hpp>

#include <algorithm>
#include <vector>

namespace gdsim {
namespace {

/// Takes the contexts of `threads` threads of `group`, whose `remaining` must not count them any more. before_change()
/// must have been called. The dispatcher is then busy for as long as placing `work_groups` work-groups takes.
Grant& grant_threads(DispatchState& state, Dispatcher& dispatcher, const PartialGroup& group, CoreId core,
                     std::uint32_t threads, std::uint64_t work_groups = 1) {
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

}  // namespace

void release_if_empty(DispatchState& state, CoreId core) {
  if (!state.claims.are_exclusive()) return;
  const Dispatcher& dispatcher = state.dispatchers.dispatcher_of(core);
  const std::size_t i = index_of(core);
  if (dispatcher.partials.contains(i) || dispatcher.partials.is_spread_on(i) || !state.bank.cores[i].is_empty()) return;
  if (const auto launch = state.claims.release(core)) state.chooser->on_left_cores(*launch);
}

namespace {

void complete_partial(DispatchState& state, Dispatcher& dispatcher, CoreId core, PartialGroup& partial) {
  const Footprint& footprint = state.progress.full_footprint(partial.launch);
  const std::uint32_t capacity = state.bank.cores[index_of(core)].thread_capacity(footprint);
  const std::uint32_t threads = std::min(capacity, partial.remaining);
  if (threads == 0) return;
  partial.remaining -= threads;
  state.before_change(core);
  grant_threads(state, dispatcher, partial, core, threads);
  if (partial.remaining > 0) return;
  if (partial.holds_port) state.ports.release();
  state.progress.close_partial(partial.launch);
  dispatcher.partials.group_on(index_of(core)).reset();
}

}  // namespace

/// Further threads of a partial work-group can fit only on cores with a release.
void complete_partials(DispatchState& state, Dispatcher& dispatcher) {
  for (auto core = dispatcher.released.next(0); core && !dispatcher.is_busy();
       core = dispatcher.released.next(*core + 1)) {
    dispatcher.released.erase(*core);
    const auto id = static_cast<CoreId>(dispatcher.cores.first + *core);
    complete_partial(state, dispatcher, id, *dispatcher.partials.group_on(index_of(id)));
    release_if_empty(state, id);
    dispatcher.search.on_release(id);
  }
}

namespace {

/// Takes the resources of the launch's next work-group on the core, with contexts for all threads that fit there. The
/// dispatcher is then busy for as long as placing `work_groups` work-groups takes.
PartialGroup open_work_group(DispatchState& state, Dispatcher& dispatcher, LaunchId launch, CoreId core,
                             const Footprint& footprint, std::uint64_t work_groups) {
  Core& core_state = state.bank.cores[index_of(core)];
  state.before_change(core);
  state.claims.claim(core, core_state, launch, footprint);
  const std::uint32_t first_context = core_state.take_group(footprint);
  const std::uint32_t threads =
      state.rules.admission == Admission::whole ? footprint.threads : core_state.thread_capacity(footprint);
  const PartialGroup group{
      launch, state.progress.take_next(launch, core), footprint.threads, footprint.threads - threads, false, core};
  Grant& grant = grant_threads(state, dispatcher, group, core, threads, work_groups);
  grant.opens_core = grant.opens_group = true;
  grant.first_context = first_context;
  return group;
}

/// Places the launch's next work-group on the core. The dispatcher is then busy as in open_work_group().
void place_on(DispatchState& state, Dispatcher& dispatcher, LaunchId launch, CoreId core, std::uint64_t work_groups) {
  const Footprint& footprint = *state.progress.next_footprint(launch, state.progress.partition_of(launch, core));
  if (!state.begun_launches.has_begun(launch)) state.begun_launches.begin(launch, state.now);
  PartialGroup group = open_work_group(state, dispatcher, launch, core, footprint, work_groups);
  if (group.remaining > 0) {
    const Kernel& kernel = state.workload.kernel_of(state.workload.launches[index_of(launch)]);
    group.holds_port = !hands_over(state.rules, kernel);
    if (group.holds_port) state.ports.hold();
    state.progress.open_partial(launch);
    dispatcher.partials.group_on(index_of(core)) = group;
  }
  dispatcher.search.evaluate(core);
}

/// Places the launch's requested work-group on the core that the placement chooses. Returns true if it chooses one.
/// There must be a candidate, and the work-group must not be spread or in a cluster.
bool place_as_requested(DispatchState& state, Dispatcher& dispatcher, LaunchId launch) {
  const auto core = dispatcher.choose(state.rules.batch, launch, state.progress, state.bank.cores.size());
  if (core) place_on(state, dispatcher, launch, *core, 1);
  return core.has_value();
}

/// Places a cluster at once, on distinct cores of one group; the placement chooses each. Returns true if it chooses
/// any.
bool place_cluster(DispatchState& state, Dispatcher& dispatcher, LaunchId launch, std::uint64_t size) {
  const auto first = dispatcher.search.choose();
  if (!first) return false;
  dispatcher.batch.end();
  std::vector<CoreId> taken{*first};
  place_on(state, dispatcher, launch, *first, size);
  while (taken.size() < size) {
    taken.push_back(dispatcher.search.choose_together(taken));
    place_on(state, dispatcher, launch, taken.back(), size);
  }
  return true;
}

/// Places a cluster of the size that the kernel prefers, if one begins with the launch's next work-group and fits.
/// Returns true if so.
bool place_preferred_cluster(DispatchState& state, Dispatcher& dispatcher, LaunchId launch,
                             const Footprint& footprint) {
  const Kernel& kernel = state.workload.kernel_of(state.workload.launches[index_of(launch)]);
  if (kernel.preferred_cluster.empty()) return false;
  Request request = dispatcher.search.make_request(launch, footprint);
  request.cluster = kernel.preferred_cluster_size();
  if (request.cluster == 1 || state.progress.dispatched(launch) % request.cluster != 0) return false;
  dispatcher.search.request(request);
  return !dispatcher.search.is_refused() && place_cluster(state, dispatcher, launch, request.cluster);
}

/// Makes the next work-group the spread one, whose threads are placed on any cores where they fit.
void begin_spreading(DispatchState& state, Dispatcher& dispatcher, LaunchId launch, const Footprint& footprint) {
  if (!state.begun_launches.has_begun(launch)) state.begun_launches.begin(launch, state.now);
  dispatcher.partials.spread() = PartialGroup{
      launch, state.progress.take_next(launch, CoreId{0}), footprint.threads, footprint.threads, false, {}};
  state.progress.open_partial(launch);
}

}  // namespace

bool place_next_work_group(DispatchState& state, Dispatcher& dispatcher, LaunchId launch) {
  const Footprint& footprint = state.progress.next_footprint(launch);
  if (place_preferred_cluster(state, dispatcher, launch, footprint)) return true;
  dispatcher.search.request(launch, footprint);
  if (dispatcher.search.is_refused()) {
    dispatcher.search.note_refusal();
    return false;
  }
  const Request& request = *dispatcher.search.last();
  if (request.cluster > 1) return place_cluster(state, dispatcher, launch, request.cluster);
  if (request.admission != Admission::spread) return place_as_requested(state, dispatcher, launch);
  begin_spreading(state, dispatcher, launch, footprint);
  return continue_spreading(state, dispatcher);
}

bool continue_spreading(DispatchState& state, Dispatcher& dispatcher) {
  PartialGroup& group = *dispatcher.partials.spread();
  const Footprint& footprint = *dispatcher.search.last()->footprint;
  while (group.remaining > 0) {
    if (dispatcher.is_busy() || dispatcher.search.is_refused()) return false;
    const auto core = dispatcher.search.choose();
    if (!core) return false;
    Core& core_state = state.bank.cores[index_of(*core)];
    const bool opens_group = group.remaining == group.group_threads;
    const bool opens_core = !dispatcher.partials.is_spread_on(index_of(*core));
    if (opens_group) group.first_core = *core;
    state.before_change(*core);
    if (opens_core) {
      state.claims.claim(*core, core_state, group.launch, footprint);
      core_state.take_group(footprint);
    }
    dispatcher.partials.spread_onto(index_of(*core));
    const std::uint32_t threads = std::min(core_state.thread_capacity(footprint), group.remaining);
    group.remaining -= threads;
    Grant& grant = grant_threads(state, dispatcher, group, *core, threads);
    grant.opens_core = opens_core;
    grant.opens_group = opens_group;
    dispatcher.search.evaluate(*core);
  }
  state.progress.close_partial(group.launch);
  for (const CoreId core : dispatcher.partials.close_spread()) {
    release_if_empty(state, core);
    dispatcher.search.evaluate(core);
  }
  return true;
}

}  // namespace gdsim
