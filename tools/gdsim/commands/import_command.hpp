#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim import`: what a compiler has written down about kernels becomes a scenario.
Command import_command();

}  // namespace gdsim::cli
