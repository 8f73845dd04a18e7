#pragma once

#include "command.hpp"

namespace gdsim::cli {

/// `gdsim run`: runs one scenario file and writes or shows what came out.
Command run_command();

}  // namespace gdsim::cli
