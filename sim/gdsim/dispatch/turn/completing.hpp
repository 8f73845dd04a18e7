#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

namespace gdsim {

/// Places further threads of the work-groups that the dispatcher has placed in part, until it is busy.
void complete_partials(DispatchState& state, DispatchUnit& unit);

}  // namespace gdsim
