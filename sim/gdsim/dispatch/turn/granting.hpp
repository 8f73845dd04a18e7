#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

// Rule, to the picosecond: spread work-groups.
//
// A spread work-group goes to the cores that `placement` chooses, one after the other. It takes the resources of a
// work-group on each, and releases them at its end. While threads of it are left, nothing else is dispatched; it
// holds no port.

namespace gdsim {

/// Takes the contexts of `threads` threads of `group`, which `remaining` no longer counts. That keeps the dispatcher
/// busy, as long as it does for `work_groups` of them, which are placed together.
Grant& grant_threads(DispatchState& state, DispatchUnit& unit, const PartialGroup& group, CoreId core,
                     std::uint32_t threads, std::uint64_t work_groups = 1);
/// A core belongs to no launch once it holds nothing and nothing of it is in recovery.
void release_if_empty(DispatchState& state, CoreId core);

}  // namespace gdsim
