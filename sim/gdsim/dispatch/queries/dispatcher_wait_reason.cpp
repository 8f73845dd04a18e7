#include <gdsim/dispatch/queries/dispatcher_wait_reason.hpp>

#include <gdsim/dispatch/placement/refusal_reasons.hpp>

namespace gdsim {
namespace {

/// Returns the core whose reason explains why no core of the dispatcher takes a work-group of the launch, or nullopt if
/// the launch may use none of its cores.
std::optional<CoreId> core_of_reason(const DispatchState& state, const Dispatcher& dispatcher, LaunchId launch) {
  const IndexSet& allowed = state.selections.of(launch);
  const auto is_right = [&](std::size_t core) {
    return allowed.contains(core) && dispatcher.cores.contains(static_cast<CoreId>(core));
  };
  if (state.last_changed && is_right(*state.last_changed)) return static_cast<CoreId>(*state.last_changed);
  const auto first = allowed.next(dispatcher.cores.first);
  if (!first || !is_right(*first)) return std::nullopt;
  return static_cast<CoreId>(*first);
}

}  // namespace

WaitReason dispatcher_wait_reason(const DispatchState& state, const Dispatcher& dispatcher, LaunchId launch) {
  const auto core = core_of_reason(state, dispatcher, launch);
  return core ? RefusalReasons(dispatcher.search).of_next(launch, *core) : WaitReason::other_launches;
}

}  // namespace gdsim
