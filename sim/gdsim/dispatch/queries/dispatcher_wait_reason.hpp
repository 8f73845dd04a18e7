#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

namespace gdsim {

/// Returns why no core of the dispatcher takes the next work-group of the launch, or the rest of its spread one. This
/// is the reason of the core with the last release, if it is the dispatcher's and the launch may use it; else of the
/// first core that the launch may use. Must be called before a core changes, because the reason may then change.
WaitReason dispatcher_wait_reason(const DispatchState& state, const Dispatcher& dispatcher, LaunchId launch);

}  // namespace gdsim
