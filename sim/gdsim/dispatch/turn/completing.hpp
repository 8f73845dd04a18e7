#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

namespace gdsim {

/// Places further threads of the dispatcher's partially placed work-groups, until it is busy.
void complete_partials(DispatchState& state, Dispatcher& dispatcher);

}  // namespace gdsim
