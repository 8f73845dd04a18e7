#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

namespace gdsim {

/// Takes the contexts of `threads` threads of `group`, which `remaining` no longer counts. before_change() must have
/// been called. The dispatcher is then busy for the time of placing `work_groups` work-groups together.
Grant& grant_threads(DispatchState& state, DispatchUnit& unit, const PartialGroup& group, CoreId core,
                     std::uint32_t threads, std::uint64_t work_groups = 1);
/// A core belongs to no launch when it is empty and no resource of it is in recovery.
void release_if_empty(DispatchState& state, CoreId core);

}  // namespace gdsim
