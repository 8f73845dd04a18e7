#include <gdsim/dispatch/turn/incremental_turn.hpp>

#include <gdsim/dispatch/placement/refusal_reasons.hpp>
#include <gdsim/dispatch/turn/placing.hpp>

namespace gdsim {
namespace {

/// Records that the released resources of the core are not enough.
inline void refuse_again(DispatchState& state, Dispatcher& dispatcher, CoreId core) {
  dispatcher.search.note_release(core);
  state.changed.erase(index_of(core));
}

/// Records that every core refuses again. `first` is the first core with a release.
inline void end_refused(DispatchState& state, Dispatcher& dispatcher, CoreId first) {
  state.last_changed = index_of(first);
  dispatcher.search.note_refusal();
}

bool is_refusal(TurnVerdict verdict) { return verdict != TurnVerdict::placed && verdict != TurnVerdict::spreads; }

/// Returns true if the launch has begun and has more work-groups left for the core than fit there, all with the same
/// footprint. Then the launch stays next in line and the dispatcher free after each placement, so the last request
/// remains valid until the core refuses it.
bool has_more_than_fit(const DispatchState& state, const Dispatcher& dispatcher, LaunchId launch, CoreId core) {
  const Request& request = *dispatcher.search.last();
  if (!state.traits.allow_incremental_placing() || request.admission != Admission::whole) return false;
  const LaunchProgress& progress = state.progress;
  return progress.has_begun(launch) && progress.is_uniform(launch) &&
         progress.left(launch, progress.partition_of(launch, core)) >
             state.bank.cores[index_of(core)].how_many_more(*request.footprint);
}

/// Places the launch's next work-groups on the only core with a release, which the launch may use, until the core
/// refuses one. If that requires a whole turn, places nothing and returns false.
bool retry_on_core(DispatchState& state, Dispatcher& dispatcher, LaunchId launch, CoreId core) {
  auto reason = dispatcher.search.wait_reason_after_release(core);
  if (!reason) {
    if (!has_more_than_fit(state, dispatcher, launch, core)) return false;
    const Core& place = state.bank.cores[index_of(core)];
    const Footprint& footprint = *dispatcher.search.last()->footprint;
    do place_whole(state, dispatcher, launch, core);
    while (place.fits_whole(footprint));
    reason = RefusalReasons(dispatcher.search).of_last(core);
  }
  state.decisions.still_refusing.emplace_back(core, *reason);
  refuse_again(state, dispatcher, core);
  end_refused(state, dispatcher, core);
  return true;
}

/// Returns true if the turn is over.
bool try_launch_waiting_for_core(DispatchState& state, LaunchId launch) {
  Dispatcher& dispatcher = state.dispatchers.first();
  const auto is_concerned = [&](std::size_t core) {
    return state.selections.of(launch).contains(core) && !dispatcher.partials.contains(core);
  };
  if (const auto core = state.changed.only())
    return is_concerned(*core) && retry_on_core(state, dispatcher, launch, static_cast<CoreId>(*core));
  for (auto core = state.changed.next(0); core; core = state.changed.next(*core + 1)) {
    if (!is_concerned(*core)) return false;
    const auto id = static_cast<CoreId>(*core);
    const auto reason = dispatcher.search.wait_reason_after_release(id);
    if (!reason) return false;
    state.decisions.still_refusing.emplace_back(id, *reason);
  }
  const auto& refusing = state.decisions.still_refusing;
  for (const auto& [core, reason] : refusing) refuse_again(state, dispatcher, core);
  if (!refusing.empty()) end_refused(state, dispatcher, refusing.front().first);
  return true;
}

}  // namespace

std::optional<LaunchId> find_only_refused_launch(const DispatchState& state) {
  std::optional<LaunchId> alone;
  for (const TurnAnswer& answer : state.decisions.answers) {
    if (!is_refusal(answer.verdict) || state.progress.is_fully_placed(answer.launch)) continue;
    if (alone && *alone != answer.launch) return std::nullopt;
    alone = answer.launch;
  }
  return alone;
}

std::optional<LaunchId> find_launch_waiting_for_core(const DispatchState& state) {
  // If launches are being prepared, a turn does more.
  const bool may_be_short = state.traits.allow_incremental_turns() && state.begun_launches.preparing().empty();
  if (!may_be_short || !state.remainders.empty() || !state.ports.has_free()) return std::nullopt;
  // If a turn names others after a refused launch, a placement may have changed the next launch and its reason.
  if (!state.traits.is_head_of_line() && !state.decisions.grants.empty()) return std::nullopt;
  const Dispatcher& dispatcher = state.dispatchers.first();
  const auto& request = dispatcher.search.last();
  if (dispatcher.is_busy() || dispatcher.partials.spread() || !request || !dispatcher.search.is_refused())
    return std::nullopt;
  if (request->cluster > 1) return std::nullopt;  // resources released on one core count for others
  const bool waits = state.only_refused_launch == request->launch && state.progress.has_next(request->launch);
  return waits ? std::optional(request->launch) : std::nullopt;
}

bool take_incremental_turn(DispatchState& state) {
  if (!state.launch_waiting_for_core) return false;
  state.decisions.is_incremental = try_launch_waiting_for_core(state, *state.launch_waiting_for_core);
  if (!state.decisions.is_incremental) state.decisions.still_refusing.clear();
  return state.decisions.is_incremental;
}

}  // namespace gdsim
