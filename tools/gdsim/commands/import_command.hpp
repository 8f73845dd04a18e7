#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim import`: makes a scenario from compiled kernels or profiles.
Command import_command();

}  // namespace gdsim::cli
