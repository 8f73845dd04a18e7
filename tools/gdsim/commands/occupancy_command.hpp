#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim occupancy`: computes how many work-groups fit on a core, what limits them, and what would let one more fit.
Command occupancy_command();

}  // namespace gdsim::cli
