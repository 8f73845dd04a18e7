#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

namespace gdsim {

/// Returns why no core of the dispatcher takes the next work-group of the launch, or the rest of its spread one. The
/// core on which something was released last gives the reason, if it is the dispatcher's and the launch may be there;
/// else the first core where the launch may be. Must be called before a core changes: later, the reason is another one.
WaitReason why_no_core(const DispatchState& state, const DispatchUnit& unit, LaunchId launch);

}  // namespace gdsim
