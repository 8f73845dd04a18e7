#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim occupancy`: how many work-groups fit on a core, what limits them, what would let one more in.
Command occupancy_command();

}  // namespace gdsim::cli
