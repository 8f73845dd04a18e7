#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// Another clock is in force from this instant on, see ClockSchedule. Work on shared resources that is done has been
/// taken out, and nothing else of the instant has happened.
void change_clock(ModelState& state);

}  // namespace gdsim
