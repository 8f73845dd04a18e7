#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

namespace gdsim {

/// Takes the contexts of `threads` threads of `group`, whose `remaining` must not count them any more. before_change()
/// must have been called. The dispatcher is then busy for as long as placing `work_groups` work-groups takes.
Grant& grant_threads(DispatchState& state, Dispatcher& dispatcher, const PartialGroup& group, CoreId core,
                     std::uint32_t threads, std::uint64_t work_groups = 1);
/// Ends the launch's ownership of the core if the core is empty and no resource of it is in recovery.
void release_if_empty(DispatchState& state, CoreId core);

}  // namespace gdsim
