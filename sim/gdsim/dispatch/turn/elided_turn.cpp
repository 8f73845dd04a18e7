#include <gdsim/dispatch/turn/elided_turn.hpp>

#include <gdsim/dispatch/placement/refusal_reasons.hpp>
#include <gdsim/dispatch/queries/dispatcher_wait_reason.hpp>

#include <algorithm>

namespace gdsim {

bool turn_only_reuses_slots(const DispatchState& state, LaunchId launch, std::uint32_t threads,
                            std::span<const CoreId> cores) {
  // The last turn ended because no core took the next work-group of this launch; another one must be left to be
  // refused.
  if (!state.traits.allow_slot_reuse()) return false;
  const Dispatcher& dispatcher = state.dispatchers.first();
  const auto& request = dispatcher.search.last();
  if (!state.changed.empty() || !dispatcher.search.is_refused()) return false;
  if (!request || request->launch != launch || request->footprint->threads != threads) return false;
  if (request->cluster > 1 || request->admission == Admission::spread || dispatcher.partials.spread()) return false;
  if (state.only_refused_launch != launch || !state.ports.has_free()) return false;
  if (state.progress.undispatched(launch) <= 1 || !state.progress.is_uniform(launch)) return false;
  const WaitReason reason = dispatcher_wait_reason(state, dispatcher, launch);
  const RefusalReasons reasons(dispatcher.search);
  return std::all_of(cores.begin(), cores.end(), [&](CoreId core) {
    return !dispatcher.partials.contains(index_of(core)) && reasons.of_last(core) == reason;
  });
}

bool placement_remembers(const DispatchState& state) { return state.dispatchers.first().search.placement_remembers(); }

void choose_only(DispatchState& state, CoreId core) { state.dispatchers.first().search.choose_only(core); }

void book_reuses(DispatchState& state, LaunchId launch, std::uint64_t count, CoreId last) {
  state.launch_waiting_for_core.reset();
  state.last_changed = index_of(last);
  state.progress.take(launch, count);
}

}  // namespace gdsim
