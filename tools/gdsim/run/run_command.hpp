#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim run`: runs one scenario file and writes or shows the results.
Command run_command();

}  // namespace gdsim::cli
