#include <gdsim/dispatch/accounting/blocking.hpp>

#include <gdsim/base/check.hpp>

namespace gdsim {

namespace {

/// The core of the dispatcher that gives the reason why none takes a work-group of the launch; nothing: the launch may
/// only be with other dispatchers.
std::optional<CoreId> core_of_reason(const DispatchState& state, const DispatchUnit& unit, LaunchId launch) {
  const IndexSet& allowed = state.selections.of(launch);
  const auto is_right = [&](std::size_t core) {
    return allowed.contains(core) && unit.cores.contains(static_cast<CoreId>(core));
  };
  if (state.last_changed && is_right(*state.last_changed)) return static_cast<CoreId>(*state.last_changed);
  const auto first = allowed.next(unit.cores.first);
  if (!first || !is_right(*first)) return std::nullopt;
  return static_cast<CoreId>(*first);
}

}  // namespace

void block_launch(DispatchState& state, LaunchId launch, WaitReason reason) {
  if (state.shared.contains(launch)) {
    state.shared.refuse(launch, reason);
  } else {
    state.waits.block(launch, reason, state.now);
  }
  state.chooser->blocked(launch);
}

WaitReason why_no_core(const DispatchState& state, const DispatchUnit& unit) {
  const auto core = core_of_reason(state, unit, unit.search.last()->launch);
  return core ? unit.search.stall_reason(*core) : WaitReason::other_launches;
}

WaitReason why_no_core(const DispatchState& state, const DispatchUnit& unit, LaunchId launch) {
  const auto core = core_of_reason(state, unit, launch);
  if (!core) return WaitReason::other_launches;
  const auto reason = unit.search.stall_reason(launch, state.progress.next_footprint(launch), *core);
  GDSIM_CHECK(reason.has_value(), "a core takes what is said to be refused");
  return *reason;
}

}  // namespace gdsim
