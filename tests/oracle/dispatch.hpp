#pragma once

#include "oracle/world.hpp"

namespace gdsim::oracle {

/// A dispatch turn: first the rests of work-groups that are placed in part, then further work-groups.
void take_turn(World& world);

}  // namespace gdsim::oracle
