#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

namespace gdsim {

/// Why no core of the dispatcher takes the next work-group of the launch, or the rest of its spread one: seen on the
/// core on which something was released last, if it is one of its cores and the launch may be there, else on the first
/// where it may be. It is to be asked before what a core holds changes, or the reason is another one.
WaitReason why_no_core(const DispatchState& state, const DispatchUnit& unit, LaunchId launch);

}  // namespace gdsim
