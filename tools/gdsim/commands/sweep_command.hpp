#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim sweep`: a scenario at many points, as a table, a picture, a store; parts of it, and their merge.
Command sweep_command();

}  // namespace gdsim::cli
