#pragma once

#include "oracle/world.hpp"

namespace gdsim::oracle {

/// Takes a dispatch turn: first the remainders of partially placed work-groups, then further work-groups.
void take_turn(World& world);

}  // namespace gdsim::oracle
